/* Rows of addresses: semantic/memory/compact_collections.py. */

typedef struct {
    PyObject *urls;  /* a list: the address of each row */
    Py_buffer view;  /* row + 1 for each place of the hash table; 0: free */
    int32_t *places;
    size_t last;     /* number of places - 1; the number is a power of two */
} RowTable;

/* Get the table; 0 if that worked. */
static int
get_rows(RowTable *table, PyObject *urls, PyObject *object, int flags)
{
    Py_ssize_t count;
    if (PyObject_GetBuffer(object, &table->view, flags) < 0)
        return -1;
    count = table->view.len / (Py_ssize_t)sizeof(int32_t);
    if (count < 1 || count & (count - 1) || (uintptr_t)table->view.buf % sizeof(int32_t)) {
        PyBuffer_Release(&table->view);
        PyErr_SetString(PyExc_ValueError, "not a table of rows");
        return -1;
    }
    table->urls = urls;
    table->places = table->view.buf;
    table->last = (size_t)count - 1;
    return 0;
}

/* The row of an address, -1 if it has none, -2 for an error. */
static Py_ssize_t
row_of_address(const RowTable *table, PyObject *url)
{
    Py_hash_t hash = PyObject_Hash(url);
    size_t at = (size_t)hash & table->last;
    if (hash == -1)
        return -2;
    for (size_t tried = 0; tried <= table->last && table->places[at]; tried++, at = (at + 1) & table->last) {
        Py_ssize_t row = (Py_ssize_t)table->places[at] - 1;
        PyObject *other;
        if (row < 0 || row >= PyList_GET_SIZE(table->urls))
            continue;
        other = PyList_GET_ITEM(table->urls, row);
        if (other == url || (PyUnicode_Check(other) && PyUnicode_Compare(other, url) == 0))
            return row;
    }
    return -1;
}

PyDoc_STRVAR(find_rows_doc,
"find_rows(urls, table, wanted)\n--\n\n"
"The row in which each wanted address is stored, -1 for an unknown one (bytes of int32).");

static PyObject *
find_rows(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *urls, *object, *wanted, *result;
    RowTable table;
    int32_t *rows;

    if (!PyArg_ParseTuple(args, "O!OO!", &PyList_Type, &urls, &object, &PyList_Type, &wanted)
        || get_rows(&table, urls, object, PyBUF_SIMPLE) < 0)
        return NULL;
    result = PyBytes_FromStringAndSize(NULL, PyList_GET_SIZE(wanted) * (Py_ssize_t)sizeof *rows);
    rows = result == NULL ? NULL : (int32_t *)PyBytes_AS_STRING(result);
    for (Py_ssize_t i = 0; result != NULL && i < PyList_GET_SIZE(wanted); i++) {
        PyObject *url = PyList_GET_ITEM(wanted, i);
        Py_ssize_t row = -2;
        if (PyUnicode_Check(url))
            row = row_of_address(&table, url);
        else
            PyErr_SetString(PyExc_TypeError, "an address is a str");
        if (row == -2)
            Py_CLEAR(result);
        else
            rows[i] = (int32_t)row;
    }
    PyBuffer_Release(&table.view);
    return result;
}

PyDoc_STRVAR(put_rows_doc,
"put_rows(urls, table, rows)\n--\n\n"
"Enter rows into the table. It has more free places than there are rows.");

static PyObject *
put_rows(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *urls, *object, *rows;
    RowTable table;

    if (!PyArg_ParseTuple(args, "O!OO!", &PyList_Type, &urls, &object, &PyList_Type, &rows)
        || get_rows(&table, urls, object, PyBUF_WRITABLE) < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        Py_ssize_t row = PyLong_AsSsize_t(PyList_GET_ITEM(rows, i));
        size_t at, tried = 0;
        Py_hash_t hash;
        if (row < 0 || row >= PyList_GET_SIZE(urls) || row >= INT32_MAX) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_IndexError, "no such row");
            break;
        }
        hash = PyObject_Hash(PyList_GET_ITEM(urls, row));
        if (hash == -1)
            break;
        at = (size_t)hash & table.last;
        while (table.places[at] && tried++ <= table.last)
            at = (at + 1) & table.last;
        if (table.places[at]) {
            PyErr_SetString(PyExc_ValueError, "the table of rows is full");
            break;
        }
        table.places[at] = (int32_t)(row + 1);
    }
    PyBuffer_Release(&table.view);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
