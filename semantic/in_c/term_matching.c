/* Texts folded: semantic/terms/term_matching.py. */

PyDoc_STRVAR(folded_doc,
"folded(text, characters)\n--\n\n"
"The text with each character replaced by that of a table.");

static PyObject *
folded(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *table, *result = NULL;
    Py_buffer view;
    const uint32_t *characters;
    uint32_t all = 0; /* the bits of all characters tell which kind of text holds them */

    if (!PyArg_ParseTuple(args, "UO", &text, &table) || get_characters(table, &view) < 0)
        return NULL;
    characters = view.buf;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t at = 0; at < length; at++) {
        uint32_t code = characters[PyUnicode_READ(kind, data, at)]; /* no str holds more than there are */
        if (code >= CHARACTERS) {
            PyErr_SetString(PyExc_ValueError, "the table holds what is no character");
            goto end;
        }
        all |= code;
    }
    result = PyUnicode_New(length, Py_MIN(all, CHARACTERS - 1));
    if (result != NULL && length) {
        int new_kind = PyUnicode_KIND(result);
        void *written = PyUnicode_DATA(result);
        for (Py_ssize_t at = 0; at < length; at++)
            PyUnicode_WRITE(new_kind, written, at, characters[PyUnicode_READ(kind, data, at)]);
    }
end:
    PyBuffer_Release(&view);
    return result;
}
