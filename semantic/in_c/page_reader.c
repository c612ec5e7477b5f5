/* Links of a page: semantic/parsing/page_reader.py. */

PyDoc_STRVAR(links_of_doc,
"links_of(found, text, here, address_of, link_type, window)\n--\n\n"
"The links of a page: addresses resolved, those to the page itself left out, text around them cut out.");

static PyObject *
links_of(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *found, *text, *here, *address_of, *type, *links, *result;
    Py_ssize_t window, order = 0, length;

    if (!PyArg_ParseTuple(args, "O!UUOO!n", &PyList_Type, &found, &text, &here, &address_of, &PyType_Type, &type, &window))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type) || window < 0) {
        PyErr_SetString(PyExc_ValueError, "a link that is no tuple, or no window");
        return NULL;
    }
    length = PyUnicode_GET_LENGTH(text);
    links = PyList_New(0);
    if (links == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(found); i++) { /* asked each time: what is called may change the list */
        PyObject *href, *title, *alt, *path, *rel, *url, *link, *row = Py_NewRef(PyList_GET_ITEM(found, i));
        Py_ssize_t start, end, node;
        int failed;
        if (!PyArg_ParseTuple(row, "UUUnnUOn", &href, &title, &alt, &start, &end, &path, &rel, &node)) {
            Py_DECREF(row);
            goto fail;
        }
        if (start < 0 || end < start || end > length) {
            Py_DECREF(row);
            PyErr_SetString(PyExc_ValueError, "a link outside of its text");
            goto fail;
        }
        url = PyObject_CallOneArg(address_of, href);
        if (url == NULL || url == Py_None || (PyUnicode_Check(url) && PyUnicode_Compare(url, here) == 0)) {
            Py_DECREF(row);
            if (url == NULL)
                goto fail;
            Py_DECREF(url);
            continue;
        }
        link = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 11);
        if (link == NULL) {
            Py_DECREF(url);
            Py_DECREF(row);
            goto fail;
        }
        PyTuple_SET_ITEM(link, 0, url);
        PyTuple_SET_ITEM(link, 1, start < end ? PyUnicode_Substring(text, start, end) : Py_NewRef(alt));
        PyTuple_SET_ITEM(link, 2, Py_NewRef(title));
        PyTuple_SET_ITEM(link, 3, PyLong_FromSsize_t(start));
        PyTuple_SET_ITEM(link, 4, PyLong_FromSsize_t(end));
        PyTuple_SET_ITEM(link, 5, PyUnicode_Substring(text, start > window ? start - window : 0, start));
        PyTuple_SET_ITEM(link, 6, PyUnicode_Substring(text, end, length - end > window ? end + window : length));
        PyTuple_SET_ITEM(link, 7, Py_NewRef(path));
        PyTuple_SET_ITEM(link, 8, Py_NewRef(rel));
        PyTuple_SET_ITEM(link, 9, PyLong_FromSsize_t(order));
        PyTuple_SET_ITEM(link, 10, PyLong_FromSsize_t(node));
        Py_DECREF(row);
        failed = PyErr_Occurred() != NULL || PyList_Append(links, link) < 0;
        Py_DECREF(link);
        if (failed)
            goto fail;
        order++;
    }
    result = PyList_AsTuple(links);
    Py_DECREF(links);
    return result;
fail:
    Py_DECREF(links);
    return NULL;
}
