/* Language and kind: semantic/parsing/page_kind.py. */

#define MOST_LANGUAGES 64
#define LETTERS 6
#define LETTER_BITS 10
#define DOTTED_I 0x130 /* its lower case is two characters */

PyDoc_STRVAR(small_words_doc,
"small_words(text, table, languages)\n--\n\n"
"How often the small words of each language stand in a text, a list. The table has a row for each word, ascending: its\n"
"up to six characters of ten bits, and a bit for each language (two uint64).");

static PyObject *
small_words(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *table, *result;
    Py_buffer view;
    const uint64_t *rows;
    Py_ssize_t count, found[MOST_LANGUAGES] = {0};
    int languages;

    if (!PyArg_ParseTuple(args, "UOi", &text, &table, &languages))
        return NULL;
    if (languages < 0 || languages > MOST_LANGUAGES) {
        PyErr_Format(PyExc_ValueError, "at most %d languages are told apart", MOST_LANGUAGES);
        return NULL;
    }
    if (PyObject_GetBuffer(table, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    if (view.len % (2 * (Py_ssize_t)sizeof *rows) || (uintptr_t)view.buf % sizeof *rows) {
        PyBuffer_Release(&view);
        PyErr_SetString(PyExc_ValueError, "not a table of words");
        return NULL;
    }
    rows = view.buf;
    count = view.len / (2 * (Py_ssize_t)sizeof *rows);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t at = 0; at < length; at++) {
        uint64_t key = 0;
        int letters = 0; /* LETTERS + 1 for what is no small word */
        for (; at < length; at++) {
            Py_UCS4 code = PyUnicode_READ(kind, data, at);
            if (Py_UNICODE_ISSPACE(code))
                break;
            if (letters > LETTERS)
                continue;
            code = code == DOTTED_I ? CHARACTERS : lowered(code);
            if (letters == LETTERS || code == 0 || code >> LETTER_BITS)
                letters = LETTERS + 1;
            else
                key |= (uint64_t)code << LETTER_BITS * letters++;
        }
        if (letters == 0 || letters > LETTERS)
            continue;
        Py_ssize_t first = 0, last = count; /* where the word stands in the table, if it does */
        while (first < last) {
            Py_ssize_t middle = first + (last - first) / 2;
            if (rows[2 * middle] < key)
                first = middle + 1;
            else
                last = middle;
        }
        for (int language = 0; first < count && rows[2 * first] == key && language < languages; language++)
            found[language] += (Py_ssize_t)(rows[2 * first + 1] >> language & 1);
    }
    PyBuffer_Release(&view);
    result = PyList_New(languages);
    for (int language = 0; result != NULL && language < languages; language++) {
        PyObject *number = PyLong_FromSsize_t(found[language]);
        if (number == NULL)
            Py_CLEAR(result);
        else
            PyList_SET_ITEM(result, language, number);
    }
    return result;
}

static int
compare_offsets(const void *one, const void *other)
{
    Py_ssize_t left = *(const Py_ssize_t *)one, right = *(const Py_ssize_t *)other;
    return left < right ? -1 : left > right;
}

PyDoc_STRVAR(text_below_doc,
"text_below(text, spans, offsets, anchor, *headings)\n--\n\n"
"How many characters are inside and outside of links, and outside from each offset to the next or to a heading.");

static PyObject *
text_below(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *spans, *offsets, *anchor, *high, *low, *position, *sizes = NULL, *result = NULL;
    Py_ssize_t *starts = NULL, *below = NULL, count = 0, distinct = 0, at = 0, inside = 0, outside = 0, start, end;

    if (!PyArg_ParseTuple(args, "UO!O!OOO", &text, &PyTuple_Type, &spans, &PyList_Type, &offsets, &anchor, &high, &low))
        return NULL;
    starts = PyMem_New(Py_ssize_t, PyTuple_GET_SIZE(spans) + PyList_GET_SIZE(offsets) + 1);
    if (starts == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (; count < PyList_GET_SIZE(offsets); count++) {
        starts[count] = PyLong_AsSsize_t(PyList_GET_ITEM(offsets, count));
        if (starts[count] == -1 && PyErr_Occurred())
            goto end;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(spans); i++) {
        if (read_span(PyTuple_GET_ITEM(spans, i), PyUnicode_GET_LENGTH(text), &start, &end, &position) < 0)
            goto end;
        if (position == high || position == low)
            starts[count++] = start;
    }
    qsort(starts, (size_t)count, sizeof *starts, compare_offsets);
    for (Py_ssize_t i = 0; i < count; i++)
        if (i == 0 || starts[i] != starts[distinct - 1])
            starts[distinct++] = starts[i];
    below = PyMem_Calloc((size_t)distinct + 1, sizeof *below); /* before the first of them, and from each on */
    sizes = PyList_New(PyList_GET_SIZE(offsets));
    if (below == NULL || sizes == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(spans); i++) {
        if (read_span(PyTuple_GET_ITEM(spans, i), PyUnicode_GET_LENGTH(text), &start, &end, &position) < 0)
            goto end;
        if (position == anchor) {
            inside += end - start;
            continue;
        }
        while (at < distinct && starts[at] <= start)
            at++;
        below[at] += end - start;
        outside += end - start;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(sizes); i++) {
        PyObject *size;
        const Py_ssize_t *found;
        start = PyLong_AsSsize_t(PyList_GET_ITEM(offsets, i));
        found = bsearch(&start, starts, (size_t)distinct, sizeof *starts, compare_offsets);
        size = PyLong_FromSsize_t(found == NULL ? 0 : below[found - starts + 1]); /* each offset is there */
        if (size == NULL)
            goto end;
        PyList_SET_ITEM(sizes, i, size);
    }
    result = Py_BuildValue("nnO", inside, outside, sizes);
end:
    PyMem_Free(starts);
    PyMem_Free(below);
    Py_XDECREF(sizes);
    return result;
}
