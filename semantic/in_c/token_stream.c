/* Texts as numbers of words: semantic/candidates/token_stream.py. */

#define FIRST_HAN 0x3400u /* surface_forms.HAN */
#define LAST_HAN 0x9FFFu
#define SEPARATOR 0x2029u /* page.PARAGRAPH */
#define WITHOUT_WIDTH 0x200Bu /* surface_forms.INVISIBLE */

static inline int
is_han(uint32_t code)
{
    return code >= FIRST_HAN && code <= LAST_HAN;
}

/* What a regular expression calls \w. */
static inline int
is_letter(uint32_t code)
{
    if (code < 0x80)
        return (code | 0x20) - 'a' < 26 || code - '0' < 10 || code == '_';
    return Py_UNICODE_ISALNUM(code);
}

static inline int
is_of_alphabet(uint32_t code)
{
    return is_letter(code) && !is_han(code);
}

static inline int
may_join(uint32_t code)
{
    return code == '.' || code == '\'' || code == 0x2019 || code == '+' || code == '#' || code == '&' || code == '@';
}

/* Where the word of an alphabet ends that begins at `at`. */
static Py_ssize_t
end_of_word(int kind, const void *data, Py_ssize_t length, Py_ssize_t at)
{
    for (;;) {
        while (at < length && is_of_alphabet(PyUnicode_READ(kind, data, at)))
            at++;
        if (at + 1 >= length || !may_join(PyUnicode_READ(kind, data, at)))
            break;
        uint32_t next = PyUnicode_READ(kind, data, at + 1);
        if (next == '_' || !is_of_alphabet(next))
            break;
        at++;
    }
    uint32_t sign = at < length ? PyUnicode_READ(kind, data, at) : 0;
    uint32_t next = at + 1 < length ? PyUnicode_READ(kind, data, at + 1) : 0;
    if (sign == '+' && next == '+')
        return at + 2;
    return sign == '#' && !is_letter(next) ? at + 1 : at;
}

/* Where `.net` ends that begins at `at`; `at` if something else stands there. */
static Py_ssize_t
end_of_net(int kind, const void *data, Py_ssize_t length, Py_ssize_t at)
{
    if (length - at < 4 || PyUnicode_READ(kind, data, at) != '.' || PyUnicode_READ(kind, data, at + 1) != 'n'
        || PyUnicode_READ(kind, data, at + 2) != 'e' || PyUnicode_READ(kind, data, at + 3) != 't'
        || (length - at > 4 && is_letter(PyUnicode_READ(kind, data, at + 4))))
        return at;
    return at + 4;
}

/* Append the number of a word. A word that has none is given one, or is a gap. */
static int
put_word(PyObject *numbers, PyObject *word, int is_new, int32_t **found, Py_ssize_t *room, Py_ssize_t *count)
{
    PyObject *number, *bare = NULL;
    long value = 0;

    if (!PyUnicode_Check(word)) {
        PyErr_SetString(PyExc_TypeError, "a word is no text");
        return -1;
    }
    Py_ssize_t size = PyUnicode_GET_LENGTH(word);
    if (!is_new && size > 1 && PyUnicode_READ_CHAR(word, size - 2) == '\'' && PyUnicode_READ_CHAR(word, size - 1) == 's') {
        bare = PyUnicode_Substring(word, 0, size - 2);
        if (bare == NULL)
            return -1;
        word = bare;
    }
    number = PyDict_GetItemWithError(numbers, word);
    Py_XINCREF(number);
    if (number == NULL && is_new && !PyErr_Occurred())
        number = PyObject_GetItem(numbers, word);
    Py_XDECREF(bare);
    if (number != NULL) {
        value = PyLong_AsLong(number);
        Py_DECREF(number);
    }
    if (PyErr_Occurred() || make_room((void **)found, room, *count + 1, sizeof **found) < 0)
        return -1;
    if (value < 0 || value > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "no number of a word");
        return -1;
    }
    (*found)[(*count)++] = (int32_t)value;
    return 0;
}

/* Of the words of an alphabet that a text has had, the last with each of so many hashes. Two thirds of a page's words
   stand on it again, and comparing is cheaper than making a string and looking it up among 100,000: measured, 0.50
   instead of 0.65 s for 2,000 pages of a wiki. */
#define RECENT 1024 /* chosen, not measured */

typedef struct {
    Py_ssize_t at, size; /* in the text; size 0: none */
    int32_t number;
} Recent;

/* The place of a word in the table. */
static Recent *
recent_word(Recent *table, int kind, const void *data, Py_ssize_t at, Py_ssize_t end)
{
    uint32_t hash = 2166136261u; /* FNV-1a over characters */
    for (Py_ssize_t i = at; i < end; i++)
        hash = (hash ^ PyUnicode_READ(kind, data, i)) * 16777619u;
    return &table[(hash ^ hash >> 16) % RECENT];
}

PyDoc_STRVAR(word_numbers_doc,
"word_numbers(text, numbers, cut, is_new)\n--\n\n"
"The numbers (int32) of the words of a folded text, 0 for each sign that separates words, -1 for each PARAGRAPH.\n"
"`numbers`: a dict from words; if `is_new` it is asked for those that it lacks, which otherwise have 0. `cut`: for each\n"
"run of Han characters its words.");

static PyObject *
word_numbers(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *numbers, *cut, *result = NULL;
    int32_t *found = NULL;
    Py_ssize_t room = 0, count = 0, run = 0, end;
    Recent table[RECENT] = {{0}};
    int is_new;

    if (!PyArg_ParseTuple(args, "UO!O!p", &text, &PyDict_Type, &numbers, &PyTuple_Type, &cut, &is_new))
        return NULL;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t at = 0; at < length; at = end) {
        uint32_t code = PyUnicode_READ(kind, data, at);
        end = at + 1;
        if (code == ' ' || code == '-' || code == WITHOUT_WIDTH)
            continue;
        if (is_han(code)) {
            while (end < length && is_han(PyUnicode_READ(kind, data, end)))
                end++;
            PyObject *words = run < PyTuple_GET_SIZE(cut) ? PyTuple_GET_ITEM(cut, run++) : NULL;
            if (words == NULL || !PyTuple_Check(words)) {
                PyErr_SetString(PyExc_ValueError, "not as many runs as the text has");
                goto done;
            }
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++)
                if (put_word(numbers, PyTuple_GET_ITEM(words, i), is_new, &found, &room, &count) < 0)
                    goto done;
            continue;
        }
        if (is_letter(code))
            end = end_of_word(kind, data, length, at);
        else if (code == '.')
            end = Py_MAX(end_of_net(kind, data, length, at), end);
        if (is_letter(code) || end > at + 1) {
            Recent *recent = recent_word(table, kind, data, at, end);
            if (recent->size == end - at
                && memcmp((const char *)data + recent->at * kind, (const char *)data + at * kind, (end - at) * kind) == 0) {
                if (make_room((void **)&found, &room, count + 1, sizeof *found) < 0)
                    goto done;
                found[count++] = recent->number;
                continue;
            }
            PyObject *word = PyUnicode_Substring(text, at, end);
            if (word == NULL || put_word(numbers, word, is_new, &found, &room, &count) < 0) {
                Py_XDECREF(word);
                goto done;
            }
            Py_DECREF(word);
            *recent = (Recent){at, end - at, found[count - 1]};
        } else if (code == SEPARATOR || !Py_UNICODE_ISSPACE(code)) {
            if (make_room((void **)&found, &room, count + 1, sizeof *found) < 0)
                goto done;
            found[count++] = code == SEPARATOR ? -1 : 0;
        }
    }
    result = PyBytes_FromStringAndSize((char *)found, count * (Py_ssize_t)sizeof *found);
done:
    PyMem_Free(found);
    return result;
}
