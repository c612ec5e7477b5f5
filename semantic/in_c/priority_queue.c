/* The queue's entries: crawler/frontier/priority_queue.py. */

#define FOUND_BITS 36
#define DEPTH_BITS 20
#define REDIRECT_BITS 8

typedef struct {
    PyObject_HEAD
    double priority;
    uint64_t numbers;  /* found, depth and redirects, highest bits first */
    PyObject *url;     /* str */
    PyObject *parent;  /* str */
} Entry;

static PyTypeObject EntryType;

static uint64_t
entry_found(const Entry *entry)
{
    return entry->numbers >> (DEPTH_BITS + REDIRECT_BITS);
}

static uint64_t
entry_depth(const Entry *entry)
{
    return entry->numbers >> REDIRECT_BITS & ((1 << DEPTH_BITS) - 1);
}

static uint64_t
entry_redirects(const Entry *entry)
{
    return entry->numbers & ((1 << REDIRECT_BITS) - 1);
}

static Entry *
make_entry(double priority, long long found, long long depth, PyObject *url, PyObject *parent, long long redirects)
{
    Entry *entry;

    if (found < 0 || found >> FOUND_BITS || depth < 0 || depth >> DEPTH_BITS || redirects < 0
        || redirects >> REDIRECT_BITS) {
        PyErr_SetString(PyExc_OverflowError, "a rank of finding, depth or number of redirects is out of range");
        return NULL;
    }
    entry = PyObject_New(Entry, &EntryType);
    if (entry == NULL)
        return NULL;
    entry->priority = priority;
    entry->numbers = ((uint64_t)found << DEPTH_BITS | (uint64_t)depth) << REDIRECT_BITS | (uint64_t)redirects;
    entry->url = Py_NewRef(url);
    entry->parent = Py_NewRef(parent);
    return entry;
}

static char *entry_fields[] = {"priority", "found", "depth", "url", "parent", "redirects", NULL};

static PyObject *
entry_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *named)
{
    double priority;
    long long found, depth, redirects;
    PyObject *url, *parent;

    if (!PyArg_ParseTupleAndKeywords(args, named, "dLLUUL:Entry", entry_fields, &priority, &found, &depth, &url,
                                     &parent, &redirects))
        return NULL;
    return (PyObject *)make_entry(priority, found, depth, url, parent, redirects);
}

PyDoc_STRVAR(entry_replace_doc,
"_replace(**fields)\n--\n\n"
"A copy of the entry with other values of some fields.");

static PyObject *
entry_replace(PyObject *self, PyObject *args, PyObject *named)
{
    const Entry *entry = (const Entry *)self;
    double priority = entry->priority;
    long long found = (long long)entry_found(entry), depth = (long long)entry_depth(entry);
    long long redirects = (long long)entry_redirects(entry);
    PyObject *url = entry->url, *parent = entry->parent;

    if (!PyArg_ParseTupleAndKeywords(args, named, "|$dLLUUL:_replace", entry_fields, &priority, &found, &depth, &url,
                                     &parent, &redirects))
        return NULL;
    return (PyObject *)make_entry(priority, found, depth, url, parent, redirects);
}

static void
entry_dealloc(PyObject *self)
{
    Py_DECREF(((Entry *)self)->url);
    Py_DECREF(((Entry *)self)->parent);
    PyObject_Free(self);
}

static int
order_of(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

/* The higher priority comes first, then as tuples of the other fields compare. */
static PyObject *
entry_compare(PyObject *self, PyObject *object, int asked)
{
    const Entry *one, *other;
    int order;

    if (!Py_IS_TYPE(self, &EntryType) || !Py_IS_TYPE(object, &EntryType))
        Py_RETURN_NOTIMPLEMENTED;
    one = (const Entry *)self;
    other = (const Entry *)object;
    if (one->priority != other->priority)
        order = one->priority > other->priority ? -1 : 1;
    else if (one->numbers >> REDIRECT_BITS != other->numbers >> REDIRECT_BITS)
        order = order_of(one->numbers, other->numbers);
    else {
        order = PyUnicode_Compare(one->url, other->url);
        if (!order)
            order = PyUnicode_Compare(one->parent, other->parent);
        if (!order)
            order = order_of(one->numbers, other->numbers);
        if (PyErr_Occurred())
            return NULL;
    }
    Py_RETURN_RICHCOMPARE(order, 0, asked);
}

static PyObject *
entry_number(PyObject *self, void *which)
{
    const Entry *entry = (const Entry *)self;

    switch (*(const char *)which) {
    case 'f':
        return PyLong_FromUnsignedLongLong(entry_found(entry));
    case 'd':
        return PyLong_FromUnsignedLongLong(entry_depth(entry));
    default:
        return PyLong_FromUnsignedLongLong(entry_redirects(entry));
    }
}

static PyObject *
entry_repr(PyObject *self)
{
    const Entry *entry = (const Entry *)self;
    PyObject *priority = PyFloat_FromDouble(entry->priority), *text;

    if (priority == NULL)
        return NULL;
    text = PyUnicode_FromFormat("Entry(priority=%R, found=%llu, depth=%llu, url=%R, parent=%R, redirects=%llu)", priority,
                                (unsigned long long)entry_found(entry), (unsigned long long)entry_depth(entry),
                                entry->url, entry->parent, (unsigned long long)entry_redirects(entry));
    Py_DECREF(priority);
    return text;
}

static PyMemberDef entry_members[] = {
    {"priority", T_DOUBLE, offsetof(Entry, priority), READONLY, NULL},
    {"url", T_OBJECT_EX, offsetof(Entry, url), READONLY, NULL},
    {"parent", T_OBJECT_EX, offsetof(Entry, parent), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef entry_numbers[] = {
    {"found", entry_number, NULL, NULL, "found"},
    {"depth", entry_number, NULL, NULL, "depth"},
    {"redirects", entry_number, NULL, NULL, "redirects"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef entry_methods[] = {
    {"_replace", (PyCFunction)(void (*)(void))entry_replace, METH_VARARGS | METH_KEYWORDS, entry_replace_doc},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject EntryType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "semantic.text_loops.Entry",
    .tp_doc = "A waiting link in 48 bytes; see crawler/frontier/priority_queue.py.",
    .tp_basicsize = sizeof(Entry),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = entry_new,
    .tp_dealloc = entry_dealloc,
    .tp_richcompare = entry_compare,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_repr = entry_repr,
    .tp_members = entry_members,
    .tp_getset = entry_numbers,
    .tp_methods = entry_methods,
};

/* Entries by their address: a hash table of pointers with linear probing (Knuth 1973, 6.4), at most two thirds full. */
typedef struct {
    PyObject_HEAD
    Entry **places;
    size_t last;   /* number of places - 1; the number is a power of two */
    size_t count;  /* entries */
} Entries;

#define LEAST_PLACES 64

/* The place of an address, or the free one where it would stand; -1 in error. */
static Py_ssize_t
place_of(const Entries *table, PyObject *url)
{
    Py_hash_t hash;
    size_t at;

    if (!PyUnicode_Check(url)) {
        PyErr_SetString(PyExc_TypeError, "an address is a str");
        return -1;
    }
    hash = PyObject_Hash(url);
    if (hash == -1)
        return -1;
    for (at = (size_t)hash & table->last; table->places[at] != NULL; at = (at + 1) & table->last) {
        PyObject *other = table->places[at]->url;
        if (other == url)
            break;
        if (PyObject_Hash(other) == hash && PyUnicode_Compare(other, url) == 0)
            break;
    }
    return PyErr_Occurred() ? -1 : (Py_ssize_t)at;
}

static int
double_places(Entries *table)
{
    size_t last = 2 * table->last + 1;
    Entry **places = PyMem_Calloc(last + 1, sizeof *places);

    if (places == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i <= table->last; i++) {
        Entry *entry = table->places[i];
        size_t at;
        if (entry == NULL)
            continue;
        for (at = (size_t)PyObject_Hash(entry->url) & last; places[at] != NULL; at = (at + 1) & last)
            ;
        places[at] = entry;
    }
    PyMem_Free(table->places);
    table->places = places;
    table->last = last;
    return 0;
}

/* Free a place, and move back those that had to go round it (Knuth's Algorithm R). */
static void
free_place(Entries *table, size_t hole)
{
    size_t at = hole;

    table->count--;
    for (;;) {
        size_t home;
        table->places[hole] = NULL;
        do {
            at = (at + 1) & table->last;
            if (table->places[at] == NULL)
                return;
            home = (size_t)PyObject_Hash(table->places[at]->url) & table->last;
        } while (((at - home) & table->last) < ((at - hole) & table->last));
        table->places[hole] = table->places[at];
        hole = at;
    }
}

static PyObject *
entries_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    Entries *table;

    if (PyTuple_GET_SIZE(args) || (named != NULL && PyDict_GET_SIZE(named))) {
        PyErr_SetString(PyExc_TypeError, "Entries() takes no arguments");
        return NULL;
    }
    table = PyObject_New(Entries, type);
    if (table == NULL)
        return NULL;
    table->count = 0;
    table->last = LEAST_PLACES - 1;
    table->places = PyMem_Calloc(LEAST_PLACES, sizeof *table->places);
    if (table->places == NULL) {
        table->last = 0;
        Py_DECREF(table);
        return PyErr_NoMemory();
    }
    return (PyObject *)table;
}

static void
entries_dealloc(PyObject *self)
{
    Entries *table = (Entries *)self;

    for (size_t i = 0; table->places != NULL && i <= table->last; i++)
        Py_XDECREF(table->places[i]);
    PyMem_Free(table->places);
    PyObject_Free(self);
}

static Py_ssize_t
entries_length(PyObject *self)
{
    return (Py_ssize_t)((Entries *)self)->count;
}

static int
entries_contain(PyObject *self, PyObject *url)
{
    Py_ssize_t at = place_of((Entries *)self, url);

    return at < 0 ? -1 : ((Entries *)self)->places[at] != NULL;
}

PyDoc_STRVAR(entries_get_doc,
"get(url)\n--\n\n"
"The entry of an address, or None.");

static PyObject *
entries_get(PyObject *self, PyObject *url)
{
    Py_ssize_t at = place_of((Entries *)self, url);
    Entry *found = at < 0 ? NULL : ((Entries *)self)->places[at];

    if (at < 0)
        return NULL;
    return Py_NewRef(found == NULL ? Py_None : (PyObject *)found);
}

static PyObject *
entries_subscript(PyObject *self, PyObject *url)
{
    Py_ssize_t at = place_of((Entries *)self, url);
    Entry *found = at < 0 ? NULL : ((Entries *)self)->places[at];

    if (at >= 0 && found == NULL)
        PyErr_SetObject(PyExc_KeyError, url);
    return Py_XNewRef((PyObject *)found);
}

static int
entries_assign(PyObject *self, PyObject *url, PyObject *value)
{
    Entries *table = (Entries *)self;
    Entry *before;
    Py_ssize_t at;

    if (value != NULL && !(Py_IS_TYPE(value, &EntryType) && PyUnicode_Check(url)
                           && PyUnicode_Compare(((Entry *)value)->url, url) == 0)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "an address leads to its own entry");
        return -1;
    }
    if (value != NULL && 3 * (table->count + 1) > 2 * (table->last + 1) && double_places(table) < 0)
        return -1;
    at = place_of(table, url);
    if (at < 0)
        return -1;
    before = table->places[at];
    if (value == NULL) {
        if (before == NULL) {
            PyErr_SetObject(PyExc_KeyError, url);
            return -1;
        }
        free_place(table, (size_t)at);
    }
    else {
        table->places[at] = (Entry *)Py_NewRef(value);
        table->count += before == NULL;
    }
    Py_XDECREF((PyObject *)before);
    return 0;
}

PyDoc_STRVAR(entries_pop_doc,
"pop(url)\n--\n\n"
"Remove an address and return its entry; KeyError if it has none.");

static PyObject *
entries_pop(PyObject *self, PyObject *url)
{
    PyObject *found = entries_subscript(self, url);

    if (found != NULL && entries_assign(self, url, NULL) < 0)
        Py_CLEAR(found);
    return found;
}

PyDoc_STRVAR(entries_values_doc,
"values()\n--\n\n"
"All entries, as a list in no particular order.");

static PyObject *
entries_values(PyObject *self, PyObject *Py_UNUSED(none))
{
    Entries *table = (Entries *)self;
    PyObject *found = PyList_New((Py_ssize_t)table->count);
    Py_ssize_t next = 0;

    for (size_t i = 0; found != NULL && i <= table->last; i++)
        if (table->places[i] != NULL)
            PyList_SET_ITEM(found, next++, Py_NewRef((PyObject *)table->places[i]));
    return found;
}

static PySequenceMethods entries_sequence = {.sq_contains = entries_contain};

static PyMappingMethods entries_mapping = {
    .mp_length = entries_length,
    .mp_subscript = entries_subscript,
    .mp_ass_subscript = entries_assign,
};

static PyMethodDef entries_methods[] = {
    {"get", entries_get, METH_O, entries_get_doc},
    {"pop", entries_pop, METH_O, entries_pop_doc},
    {"values", entries_values, METH_NOARGS, entries_values_doc},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject EntriesType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "semantic.text_loops.Entries",
    .tp_doc = "Entries by address, 12 to 24 bytes each; what a dict does for crawler/frontier/priority_queue.py.",
    .tp_basicsize = sizeof(Entries),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = entries_new,
    .tp_dealloc = entries_dealloc,
    .tp_as_sequence = &entries_sequence,
    .tp_as_mapping = &entries_mapping,
    .tp_methods = entries_methods,
};
