/* Links as rows: semantic/links/link_reading.py. */

/* ---- what links say ---- */

typedef struct {
    Py_ssize_t start, end;
    PyObject *word; /* borrowed from the mentions, which are kept meanwhile */
} Mention;

/* How many mentions begin before `start`. */
static Py_ssize_t
first_from(const Mention *mentions, Py_ssize_t count, Py_ssize_t start)
{
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (mentions[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The words of mentions in an anchor, or around it, as a tuple. */
static PyObject *
words_beside(const Mention *mentions, Py_ssize_t first, Py_ssize_t last, Py_ssize_t start, Py_ssize_t end, Py_ssize_t most,
             int inside)
{
    Py_ssize_t count = 0;
    PyObject *words = NULL;

    for (int round = 0; round < 2; round++) { /* counted, then filled in */
        if (round && (words = PyTuple_New(count)) == NULL)
            return NULL;
        count = 0;
        for (Py_ssize_t i = first; i < last; i++) {
            const Mention *one = &mentions[i];
            int taken = inside ? one->start >= start && one->end <= end : one->end <= start || one->start >= end;
            if (one->end > most || !taken)
                continue;
            if (round)
                PyTuple_SET_ITEM(words, count, Py_NewRef(one->word));
            count++;
        }
    }
    return words;
}

PyDoc_STRVAR(describe_links_doc,
"describe_links(mentions, links, addresses, titles, context, nothing)\n--\n\n"
"For each link the words in its text and title, the words of mentions up to `context` characters beside its text, and\n"
"the words in its address; `nothing`, a tuple of that type, where there are none. Mentions come in the order of the text.");

static PyObject *
describe_links(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *given, *links, *addresses, *titles, *nothing, *none = NULL, *result = NULL;
    Py_ssize_t context, count, bound = PY_SSIZE_T_MAX / 4;
    Mention *mentions = NULL;

    if (!PyArg_ParseTuple(args, "O!O!O!O!nO", &PyTuple_Type, &given, &PyTuple_Type, &links, &PyTuple_Type, &addresses,
                          &PyTuple_Type, &titles, &context, &nothing))
        return NULL;
    if (!PyTuple_Check(nothing) || PyTuple_GET_SIZE(nothing) != 3 || context < 0 || context > bound
        || PyTuple_GET_SIZE(addresses) != PyTuple_GET_SIZE(links) || PyTuple_GET_SIZE(titles) != PyTuple_GET_SIZE(links)) {
        PyErr_SetString(PyExc_ValueError, "a description that is no triple, or not as many of each as there are links");
        return NULL;
    }
    count = PyTuple_GET_SIZE(given);
    mentions = PyMem_New(Mention, count + 1);
    if (mentions == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PyTuple_GET_ITEM(given, i);
        if (!PyTuple_Check(one) || PyTuple_GET_SIZE(one) < 3) {
            PyErr_SetString(PyExc_TypeError, "no mention");
            goto end;
        }
        mentions[i].start = PyLong_AsSsize_t(PyTuple_GET_ITEM(one, 0));
        mentions[i].end = PyLong_AsSsize_t(PyTuple_GET_ITEM(one, 1));
        mentions[i].word = PyTuple_GET_ITEM(one, 2);
        if (PyErr_Occurred())
            goto end;
    }
    none = PyTuple_New(0);
    result = PyList_New(PyTuple_GET_SIZE(links));
    for (Py_ssize_t i = 0; none != NULL && result != NULL && i < PyList_GET_SIZE(result); i++) {
        Py_ssize_t start, end, first, last;
        PyObject *link = PyTuple_GET_ITEM(links, i), *address = PyTuple_GET_ITEM(addresses, i), *features;
        PyObject *inside, *beside, *title = PyTuple_GET_ITEM(titles, i);
        if (!PyTuple_Check(link) || PyTuple_GET_SIZE(link) < 5 || !PyTuple_Check(address) || !PyTuple_Check(title)) {
            PyErr_SetString(PyExc_TypeError, "no link, or words that are no tuple");
            goto fail;
        }
        start = PyLong_AsSsize_t(PyTuple_GET_ITEM(link, 3));
        end = PyLong_AsSsize_t(PyTuple_GET_ITEM(link, 4));
        if (PyErr_Occurred())
            goto fail;
        if (start < 0 || end < start || end > bound) {
            PyErr_SetString(PyExc_ValueError, "no stretch of a text");
            goto fail;
        }
        first = first_from(mentions, count, start - context);
        for (last = first; last < count && mentions[last].start < end + context; last++)
            ;
        inside = first == last ? Py_NewRef(none) : words_beside(mentions, first, last, start, end, end + context, 1);
        beside = first == last ? Py_NewRef(none) : words_beside(mentions, first, last, start, end, end + context, 0);
        if (inside != NULL && PyTuple_GET_SIZE(title)) {
            PyObject *both = PySequence_Concat(inside, title);
            Py_DECREF(inside);
            inside = both;
        }
        if (inside == NULL || beside == NULL)
            features = NULL;
        else if (!PyTuple_GET_SIZE(inside) && !PyTuple_GET_SIZE(beside) && !PyTuple_GET_SIZE(address))
            features = Py_NewRef(nothing);
        else if ((features = Py_TYPE(nothing)->tp_alloc(Py_TYPE(nothing), 3)) != NULL) {
            PyTuple_SET_ITEM(features, 0, Py_NewRef(inside));
            PyTuple_SET_ITEM(features, 1, Py_NewRef(beside));
            PyTuple_SET_ITEM(features, 2, Py_NewRef(address));
        }
        Py_XDECREF(inside);
        Py_XDECREF(beside);
        if (features == NULL)
            goto fail;
        PyList_SET_ITEM(result, i, features);
    }
    goto end;
fail:
    Py_CLEAR(result);
end:
    Py_XDECREF(none);
    PyMem_Free(mentions);
    return result;
}

/* ---- rows of links ---- */

/* As link_reading has them. */
#define PLACE_SLOTS 16
#define ANCHOR_SLOTS 16
#define NEAR_HALF 6
#define TEMPLATE_SLOTS 4
#define ROW_SLOTS (PLACE_SLOTS + ANCHOR_SLOTS + 2 * NEAR_HALF + TEMPLATE_SLOTS)
#define ANCHOR_WORDS 12
#define ANCHOR_TEXT 80
#define ANCHOR_GROUPS ((1u << 17) - 1)
#define MASSES 5

/* What rows take from a link, its address and what its words come to; borrowed from these. */
typedef struct {
    PyObject *url, *anchor, *title, *before, *after, *path, *order;
    PyObject *tokens, *chain, *way, *named;
    Py_ssize_t rank, depth;
    double masses[MASSES];
    int page_like;
} SaidLink;

typedef struct {
    Py_ssize_t first, best; /* the links to a target that describe it */
} TargetRow;

enum column {
    TARGETS, ANCHORS, CONTEXTS, POSITIONS, NAMED, TEMPLATES, FOLDERS, QUERIES, INTS, TOKENS, FLOATS, FOREIGN, COLUMNS
};

/* Whether an object is a tuple that begins with items of these kinds: text, number, bytes, tuple, or anything. */
static int
is_tuple_of(PyObject *object, const char *kinds)
{
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) < (Py_ssize_t)strlen(kinds))
        return 0;
    for (Py_ssize_t i = 0; kinds[i]; i++) {
        PyObject *item = PyTuple_GET_ITEM(object, i);
        if ((kinds[i] == 't' && !PyUnicode_Check(item)) || (kinds[i] == 'n' && !PyLong_Check(item))
            || (kinds[i] == 'b' && !PyBytes_Check(item)) || (kinds[i] == '(' && !PyTuple_Check(item)))
            return 0;
    }
    return 1;
}

static int
read_said(PyObject *link, PyObject *address, PyObject *said, SaidLink *found)
{
    PyObject *masses;

    if (!is_tuple_of(link, "tttnnttt?n") || !is_tuple_of(address, "tb(nt?") || !is_tuple_of(said, "((")
        || !is_tuple_of(PyTuple_GET_ITEM(address, 2), "t") || !is_tuple_of(PyTuple_GET_ITEM(said, 0), "?????")) {
        PyErr_SetString(PyExc_TypeError, "no link, no address, or nothing that it says");
        return -1;
    }
    found->url = PyTuple_GET_ITEM(link, 0);
    found->anchor = PyTuple_GET_ITEM(link, 1);
    found->title = PyTuple_GET_ITEM(link, 2);
    found->before = PyTuple_GET_ITEM(link, 5);
    found->after = PyTuple_GET_ITEM(link, 6);
    found->path = PyTuple_GET_ITEM(link, 7);
    found->order = PyTuple_GET_ITEM(link, 9);
    found->rank = PyLong_AsSsize_t(found->order);
    found->tokens = PyTuple_GET_ITEM(address, 1);
    found->chain = PyTuple_GET_ITEM(address, 2);
    found->depth = PyLong_AsSsize_t(PyTuple_GET_ITEM(address, 3));
    found->way = PyTuple_GET_ITEM(address, 4);
    found->page_like = PyTuple_GET_ITEM(address, 5) == Py_True;
    masses = PyTuple_GET_ITEM(said, 0);
    found->named = PyTuple_GET_ITEM(said, 1);
    for (int i = 0; i < MASSES; i++)
        found->masses[i] = PyFloat_AsDouble(PyTuple_GET_ITEM(masses, i));
    if (PyErr_Occurred())
        return -1;
    if (PyBytes_GET_SIZE(found->tokens) != PLACE_SLOTS * 4 || found->depth < 0 || found->depth > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "no address");
        return -1;
    }
    return 0;
}

/* The number of a value in order of first occurrence; -1 in error. `numbers`: each value's. */
static Py_ssize_t
number_among(PyObject *numbers, PyObject *value)
{
    PyObject *number = PyDict_GetItemWithError(numbers, value);
    Py_ssize_t count = PyDict_GET_SIZE(numbers);
    int failed;

    if (number != NULL)
        return PyLong_AsSsize_t(number);
    if (PyErr_Occurred() || (number = PyLong_FromSsize_t(count)) == NULL)
        return -1;
    failed = PyDict_SetItem(numbers, value, number) < 0;
    Py_DECREF(number);
    return failed ? -1 : count;
}

/* The links that describe each target, in the order of the page; how many targets there are, -1 in error. */
static Py_ssize_t
choose_links(const SaidLink *links, Py_ssize_t count, PyObject *here, TargetRow *rows)
{
    PyObject *places = PyDict_New();
    Py_ssize_t n = 0;

    for (Py_ssize_t i = 0; places != NULL && i < count; i++) {
        const SaidLink *link = &links[i], *best;
        Py_ssize_t row;
        if (!link->page_like || PyUnicode_Compare(link->url, here) == 0)
            continue;
        row = number_among(places, link->url);
        if (row < 0) {
            Py_CLEAR(places);
            break;
        }
        if (row == n) {
            rows[n].first = rows[n].best = i;
            n++;
            continue;
        }
        best = &links[rows[row].best];
        if (link->masses[0] != best->masses[0] ? link->masses[0] > best->masses[0]
                                               : PyUnicode_GET_LENGTH(link->anchor) && !PyUnicode_GET_LENGTH(best->anchor))
            rows[row].best = i;
    }
    if (places == NULL)
        return -1;
    Py_DECREF(places);
    return n;
}

static PyObject *
context_of(const SaidLink *link, PyObject *paragraph)
{
    PyObject *joined, *context, *some = PyUnicode_Concat(link->before, link->anchor);

    joined = some == NULL ? NULL : PyUnicode_Concat(some, link->after);
    context = joined == NULL ? NULL : PyUnicode_Replace(joined, paragraph, one_blank, -1);
    Py_XDECREF(some);
    Py_XDECREF(joined);
    return context;
}

/* The number of a link's template; a new one is added to `templates`, and its words to `words`. */
static Py_ssize_t
template_of(PyObject *path, PyObject *host, PyObject *tails, PyObject *templates, PyObject *words, PyObject *words_of)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(path), last = PyUnicode_FindChar(path, '/', 0, length, -1), number;
    Py_ssize_t before = last > 0 ? PyUnicode_FindChar(path, '/', 0, last, -1) : -1;
    PyObject *tail, *template = NULL, *own = NULL;

    if (last == -2 || before == -2 || (tail = PyUnicode_Substring(path, before + 1, length)) == NULL)
        return -1;
    number = number_among(tails, tail);
    if (number == PyList_GET_SIZE(templates)) {
        template = PyUnicode_FromFormat("%U %U", host, tail);
        own = template == NULL ? NULL : PyObject_CallOneArg(words_of, template);
        if (own == NULL || PyList_Append(templates, template) < 0 || PyList_Append(words, own) < 0)
            number = -1;
        else if (!PyBytes_Check(own) || PyBytes_GET_SIZE(own) != TEMPLATE_SLOTS * 4) {
            PyErr_SetString(PyExc_ValueError, "no words of a template");
            number = -1;
        }
    }
    Py_DECREF(tail);
    Py_XDECREF(template);
    Py_XDECREF(own);
    return number;
}

/* Fill the slots of a row from the anchor on, up to the template; give the number of the anchor's group, -1 in error. */
static int32_t
anchor_slots(const SaidLink *link, const uint32_t *characters, uint32_t word, uint32_t near, int32_t *slots)
{
    PyObject *text = PyUnicode_GET_LENGTH(link->anchor) ? link->anchor : link->title;
    uint32_t crc = 0xFFFFFFFFu;
    Word found[MOST_WORDS];
    int count;

    memset(slots, 0, (ANCHOR_SLOTS + 2 * NEAR_HALF) * sizeof *slots);
    if (!PyUnicode_GET_LENGTH(text))
        return 0;
    text = PyUnicode_Substring(text, 0, ANCHOR_TEXT);
    if (text == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        Py_UCS4 code = PyUnicode_READ_CHAR(text, i);
        crc = crc_character(crc, code >= 0xD800 && code < 0xE000 ? '?' : code);
    }
    count = find_first(text, characters, word, ANCHOR_WORDS, found);
    for (int i = 0; i < count; i++)
        slots[i] = (int32_t)found[i].number;
    find_near(link->before, link->after, characters, near, NEAR_HALF, slots + ANCHOR_SLOTS);
    Py_DECREF(text);
    return (int32_t)((crc ^ 0xFFFFFFFFu) % ANCHOR_GROUPS + 1);
}

PyDoc_STRVAR(link_rows_doc,
"link_rows(links, addresses, said, here, host, texts, characters, word, near, template_tokens)\n--\n\n"
"The rows of a page's links: columns of texts, the distinct templates, folders and queries; then as bytes int32 columns\n"
"(template, folder, query, depth, anchor), hashed words, floats (masses, places), and whether a target is foreign.");

static PyObject *
link_rows(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *links, *addresses, *said, *here, *host, *table, *words_of, *result = NULL, *made[COLUMNS] = {NULL};
    PyObject *paragraph = NULL, *tails = NULL, *words = NULL;
    unsigned int word, near;
    int texts, known = 0;
    Py_ssize_t count, n = 0;
    Py_buffer characters;
    SaidLink *all;
    TargetRow *rows;
    int32_t *ints, *tokens;
    float *floats;

    if (!PyArg_ParseTuple(args, "O!O!O!UUpOIIO", &PyTuple_Type, &links, &PyTuple_Type, &addresses, &PyTuple_Type, &said,
                          &here, &host, &texts, &table, &word, &near, &words_of))
        return NULL;
    count = PyTuple_GET_SIZE(links);
    if (PyTuple_GET_SIZE(addresses) != count || PyTuple_GET_SIZE(said) != count || count > INT32_MAX / 256) {
        PyErr_SetString(PyExc_ValueError, "not as many of each as there are links");
        return NULL;
    }
    if (get_characters(table, &characters) < 0)
        return NULL;
    all = PyMem_New(SaidLink, count + 1);
    rows = PyMem_New(TargetRow, count + 1);
    if (all == NULL || rows == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (read_said(PyTuple_GET_ITEM(links, i), PyTuple_GET_ITEM(addresses, i), PyTuple_GET_ITEM(said, i), &all[i]) < 0)
            goto end;
    if ((n = choose_links(all, count, here, rows)) < 0)
        goto end;
    made[TARGETS] = PyTuple_New(n);
    for (int column = ANCHORS; column <= NAMED; column++)
        made[column] = PyTuple_New(texts ? n : 0);
    made[TEMPLATES] = PyList_New(0);
    made[FOLDERS] = PyDict_New();
    made[QUERIES] = PyDict_New();
    made[INTS] = PyByteArray_FromStringAndSize(NULL, 5 * n * (Py_ssize_t)sizeof *ints);
    made[TOKENS] = PyByteArray_FromStringAndSize(NULL, ROW_SLOTS * n * (Py_ssize_t)sizeof *tokens);
    made[FLOATS] = PyByteArray_FromStringAndSize(NULL, (MASSES + 1) * n * (Py_ssize_t)sizeof *floats);
    made[FOREIGN] = PyByteArray_FromStringAndSize(NULL, n);
    for (int column = 0; column < COLUMNS; column++)
        known += made[column] != NULL;
    paragraph = PyUnicode_FromOrdinal(0x2029);
    tails = PyDict_New();
    words = PyList_New(0);
    if (known < COLUMNS || paragraph == NULL || tails == NULL || words == NULL)
        goto end;
    ints = (int32_t *)PyByteArray_AS_STRING(made[INTS]);
    tokens = (int32_t *)PyByteArray_AS_STRING(made[TOKENS]);
    floats = (float *)PyByteArray_AS_STRING(made[FLOATS]);
    for (Py_ssize_t row = 0; row < n; row++, tokens += ROW_SLOTS) {
        const SaidLink *first = &all[rows[row].first], *best = &all[rows[row].best];
        Py_ssize_t template = template_of(best->path, host, tails, made[TEMPLATES], words, words_of);
        Py_ssize_t folder = number_among(made[FOLDERS], first->chain), query = number_among(made[QUERIES], first->way);
        int32_t anchor = anchor_slots(best, characters.buf, word ^ 0xFFFFFFFFu, near ^ 0xFFFFFFFFu, tokens + PLACE_SLOTS);
        if (template < 0 || folder < 0 || query < 0 || anchor < 0)
            goto end;
        PyTuple_SET_ITEM(made[TARGETS], row, Py_NewRef(first->url));
        if (texts) {
            PyObject *context = context_of(first, paragraph);
            if (context == NULL)
                goto end;
            PyTuple_SET_ITEM(made[ANCHORS], row, Py_NewRef(first->anchor));
            PyTuple_SET_ITEM(made[CONTEXTS], row, context);
            PyTuple_SET_ITEM(made[POSITIONS], row, Py_NewRef(first->order));
            PyTuple_SET_ITEM(made[NAMED], row, Py_NewRef(best->named));
        }
        ints[row] = (int32_t)template;
        ints[n + row] = (int32_t)folder;
        ints[2 * n + row] = (int32_t)query;
        ints[3 * n + row] = (int32_t)first->depth;
        ints[4 * n + row] = anchor;
        memcpy(tokens, PyBytes_AS_STRING(first->tokens), PLACE_SLOTS * sizeof *tokens);
        memcpy(tokens + ROW_SLOTS - TEMPLATE_SLOTS, PyBytes_AS_STRING(PyList_GET_ITEM(words, template)),
               TEMPLATE_SLOTS * sizeof *tokens);
        for (int i = 0; i < MASSES; i++)
            floats[MASSES * row + i] = (float)best->masses[i];
        floats[MASSES * n + row] = (float)((double)best->rank / (double)count);
        PyByteArray_AS_STRING(made[FOREIGN])[row] = PyUnicode_Compare(PyTuple_GET_ITEM(first->chain, 0), host) != 0;
    }
    for (int column = TEMPLATES; column <= QUERIES; column++) {
        PyObject *distinct = PySequence_Tuple(made[column]);
        if (distinct == NULL)
            goto end;
        Py_DECREF(made[column]);
        made[column] = distinct;
    }
    result = PyTuple_New(COLUMNS);
    for (int column = 0; result != NULL && column < COLUMNS; column++)
        PyTuple_SET_ITEM(result, column, Py_NewRef(made[column]));
end:
    for (int column = 0; column < COLUMNS; column++)
        Py_XDECREF(made[column]);
    Py_XDECREF(paragraph);
    Py_XDECREF(tails);
    Py_XDECREF(words);
    PyMem_Free(all);
    PyMem_Free(rows);
    PyBuffer_Release(&characters);
    return result;
}

/* ---- what addresses say ---- */

#define ENDING 8 /* characters of an ending that are used */
#define LEVELS 4

typedef struct {
    Py_buffer characters;
    unsigned int own, ending, host, depth, folder; /* where the CRC of a word begins */
    PyObject *folders, *words_of, *way_of, *is_page_like, *type, *in_python;
    char *words; /* as text */
    Py_ssize_t room;
} AddressReader;

static inline int
is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Whether a stretch of a text is `word`, whatever its case. */
static int
says(const char *from, const char *to, const char *word)
{
    for (; from < to && *word && lowered((unsigned char)*from) == (unsigned char)*word; from++, word++)
        ;
    return from == to && !*word;
}

/* Where the ending of a page begins (urls._PAGE_ENDINGS), `end` if there is none; `dot`: the last one of the name. */
static const char *
page_ending(const char *path, const char *dot, const char *end)
{
    static const char *const endings[] = {"htm", "html", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "jspx", "cgi", "cfm", "do"};
    int found = end - dot == 5 && says(dot + 1, end - 1, "php") && end[-1] >= '0' && end[-1] <= '9';

    for (size_t i = 0; !found && i < sizeof endings / sizeof *endings; i++)
        found = says(dot + 1, end, endings[i]);
    if (!found)
        return end;
    if (dot - path >= 6 && says(dot - 6, dot, "/index"))
        return dot - 6;
    if (dot - path >= 8 && says(dot - 8, dot, "/default"))
        return dot - 8;
    return dot;
}

/* Append the words of a stretch, each after a blank unless it is the first. */
static Py_ssize_t
add_words(char *words, Py_ssize_t length, const char *from, const char *to)
{
    for (int apart = 1; from < to; from++) {
        if (!is_letter_or_digit(*from)) {
            apart = 1;
            continue;
        }
        if (apart && length)
            words[length++] = ' ';
        words[length++] = *from;
        apart = 0;
    }
    return length;
}

static uint32_t
crc_text(uint32_t crc, const char *from, const char *to)
{
    for (; from < to; from++)
        crc = crc_byte(crc, (unsigned char)*from);
    return crc;
}

/* Of a directory, `host/a/b` in ASCII, the chain, the number of directories and their hashed words; borrowed from the
   cache. */
static PyObject *
folder_of(AddressReader *reader, PyObject *key)
{
    PyObject *chain, *found = PyDict_GetItemWithError(reader->folders, key);
    const char *text = (const char *)PyUnicode_1BYTE_DATA(key), *end = text + PyUnicode_GET_LENGTH(key), *at = text;
    uint32_t numbers[LEVELS + 2], crc = ~reader->folder;
    char digits[32];
    Py_ssize_t depth = 0, size;
    int failed;

    if (found != NULL || PyErr_Occurred() || (chain = PyTuple_New(LEVELS + 2)) == NULL)
        return found;
    for (const char *stop = text;; stop++) {
        if (stop < end && *stop != '/')
            continue;
        if (depth <= LEVELS)
            PyTuple_SET_ITEM(chain, depth, PyUnicode_FromStringAndSize(text, stop - text));
        if (depth == 0)
            numbers[0] = number_of(crc_text(~reader->host, text, stop));
        crc = crc_text(crc, at, stop);
        at = stop;
        if (depth && depth <= LEVELS)
            numbers[depth + 1] = number_of(crc);
        if (stop == end)
            break;
        depth++;
    }
    for (Py_ssize_t level = depth + 1; level <= LEVELS; level++)
        PyTuple_SET_ITEM(chain, level, Py_NewRef(empty));
    PyTuple_SET_ITEM(chain, LEVELS + 1, Py_NewRef(depth > LEVELS ? key : empty));
    PyOS_snprintf(digits, sizeof digits, "%zd", depth);
    numbers[1] = number_of(crc_text(~reader->depth, digits, digits + strlen(digits)));
    size = (2 + (depth < LEVELS ? depth : LEVELS)) * (Py_ssize_t)sizeof *numbers;
    found = PyErr_Occurred() ? NULL : Py_BuildValue("Ony#", chain, depth, (char *)numbers, size);
    Py_DECREF(chain);
    if (found == NULL)
        return NULL;
    failed = PyDict_SetItem(reader->folders, key, found) < 0;
    Py_DECREF(found);
    return failed ? NULL : found;
}

/* What one address says, a new reference. One that is not plain ASCII with a host and a path is left to Python. */
static PyObject *
read_address(AddressReader *reader, PyObject *url)
{
    const char *text, *end, *host, *path, *question, *path_end, *name, *dot, *cut, *folder_end;
    PyObject *folder, *standing, *words = NULL, *tokens = NULL, *way = NULL, *like = NULL, *address = NULL;
    Word own[MOST_WORDS];
    int32_t slots[PLACE_SLOTS] = {0};
    uint32_t ending = ~reader->ending;
    Py_ssize_t used;
    int coded = 0, count;

    if (!PyUnicode_Check(url) || !PyUnicode_IS_ASCII(url))
        return PyObject_CallOneArg(reader->in_python, url);
    text = (const char *)PyUnicode_1BYTE_DATA(url);
    end = text + PyUnicode_GET_LENGTH(url);
    host = strncmp(text, "http://", 7) == 0 ? text + 7 : strncmp(text, "https://", 8) == 0 ? text + 8 : end;
    path = memchr(host, '/', (size_t)(end - host));
    question = memchr(host, '?', (size_t)(end - host));
    for (const char *c = text; c < end && path != NULL; c++) {
        coded |= *c == '%';
        if (*c <= ' ' || *c > '~')
            path = NULL;
    }
    if (path == NULL || (question != NULL && question < path))
        return PyObject_CallOneArg(reader->in_python, url);
    path_end = question ? question : end;
    for (name = path_end; name[-1] != '/'; name--) /* `path` is a slash */
        ;
    for (dot = path_end; dot > name && dot[-1] != '.'; dot--)
        ;
    dot = dot > name ? dot - 1 : NULL;
    cut = dot ? page_ending(path, dot, path_end) : path_end;
    folder_end = question ? path_end : name - 1;
    folder = PyUnicode_FromStringAndSize(host, (folder_end > path + 1 ? folder_end : path) - host);
    standing = folder == NULL ? NULL : Py_XNewRef(folder_of(reader, folder));
    Py_XDECREF(folder);
    if (standing == NULL)
        return NULL;
    if (!is_tuple_of(standing, "(nb") || (used = PyBytes_GET_SIZE(PyTuple_GET_ITEM(standing, 2)) / 4) >= PLACE_SLOTS) {
        PyErr_SetString(PyExc_ValueError, "no place of a directory");
        goto end;
    }
    if (coded)
        words = PyObject_CallOneArg(reader->words_of, url);
    else if (make_room((void **)&reader->words, &reader->room, 2 * (end - text), 1) == 0) {
        Py_ssize_t length = add_words(reader->words, 0, path, cut);
        if (question)
            length = add_words(reader->words, length, question + 1, end);
        words = PyUnicode_FromStringAndSize(reader->words, length);
    }
    if (words == NULL || !PyUnicode_Check(words)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "words are str");
        goto end;
    }
    if (dot != NULL && question == NULL)
        for (const char *c = dot + 1; c < path_end && c <= dot + ENDING; c++)
            ending = crc_byte(ending, lowered((unsigned char)*c));
    slots[0] = (int32_t)number_of(ending);
    memcpy(slots + 1, PyBytes_AS_STRING(PyTuple_GET_ITEM(standing, 2)), (size_t)used * sizeof *slots);
    count = find_first(words, reader->characters.buf, ~reader->own, (int)(PLACE_SLOTS - 1 - used), own);
    for (int i = 0; i < count; i++)
        slots[1 + used + i] = (int32_t)own[i].number;
    tokens = PyBytes_FromStringAndSize((char *)slots, sizeof slots);
    way = question ? PyObject_CallOneArg(reader->way_of, url) : Py_NewRef(empty);
    like = dot && cut == path_end ? PyObject_CallOneArg(reader->is_page_like, url) : Py_NewRef(Py_True);
    if (tokens == NULL || way == NULL || like == NULL)
        goto end;
    address = ((PyTypeObject *)reader->type)->tp_alloc((PyTypeObject *)reader->type, 6);
    if (address == NULL)
        goto end;
    PyTuple_SET_ITEM(address, 0, Py_NewRef(words));
    PyTuple_SET_ITEM(address, 1, Py_NewRef(tokens));
    PyTuple_SET_ITEM(address, 2, Py_NewRef(PyTuple_GET_ITEM(standing, 0)));
    PyTuple_SET_ITEM(address, 3, Py_NewRef(PyTuple_GET_ITEM(standing, 1)));
    PyTuple_SET_ITEM(address, 4, Py_NewRef(way));
    PyTuple_SET_ITEM(address, 5, Py_NewRef(like));
end:
    Py_DECREF(standing);
    Py_XDECREF(words);
    Py_XDECREF(tokens);
    Py_XDECREF(way);
    Py_XDECREF(like);
    return address;
}

PyDoc_STRVAR(read_addresses_doc,
"read_addresses(urls, characters, starts, folders, words_of, way_of, is_page_like, type, in_python)\n--\n\n"
"What each address says, as `type`. `starts`: where the CRC of a word of its own begins, of an ending, a host, a depth, a\n"
"directory. `folders`: a cache.");

static PyObject *
read_addresses(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *urls, *table, *found;
    AddressReader reader = {0};

    if (!PyArg_ParseTuple(args, "O!O(IIIII)O!OOOO!O", &PyTuple_Type, &urls, &table, &reader.own, &reader.ending,
                          &reader.host, &reader.depth, &reader.folder, &PyDict_Type, &reader.folders, &reader.words_of,
                          &reader.way_of, &reader.is_page_like, &PyType_Type, &reader.type, &reader.in_python))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)reader.type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "an address that is no tuple");
        return NULL;
    }
    if (get_characters(table, &reader.characters) < 0)
        return NULL;
    found = PyList_New(PyTuple_GET_SIZE(urls));
    for (Py_ssize_t i = 0; found != NULL && i < PyTuple_GET_SIZE(urls); i++) {
        PyObject *address = read_address(&reader, PyTuple_GET_ITEM(urls, i));
        if (address == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, address);
    }
    PyMem_Free(reader.words);
    PyBuffer_Release(&reader.characters);
    return found;
}
