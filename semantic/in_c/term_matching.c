/* Texts folded, and places of terms: semantic/terms/term_matching.py. */

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

typedef struct {
    Py_ssize_t start, end, pattern, rank; /* where a pattern stands, and at which place in the list */
    PyObject *words;
} Place;

/* A place of the list that is (start, end, pattern); -1 with an exception if it is outside of the text or of the patterns. */
static int
read_place(PyObject *given, Py_ssize_t length, Py_ssize_t patterns, Place *place)
{
    Py_ssize_t *fields[] = {&place->start, &place->end, &place->pattern};

    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != 3) {
        PyErr_SetString(PyExc_TypeError, "a place is no triple");
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        *fields[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(given, i));
        if (*fields[i] == -1 && PyErr_Occurred())
            return -1;
    }
    if (place->start < 0 || place->end <= place->start || place->end > length || place->pattern < 0
        || place->pattern >= patterns) {
        PyErr_SetString(PyExc_ValueError, "a place outside of the text, or of no pattern");
        return -1;
    }
    return 0;
}

PyDoc_STRVAR(whole_places_doc,
"whole_places(places, text, left, right, touchy)\n--\n\n"
"The places, (start, end, pattern), whose edges no touchy character touches. `left`, `right`: for each pattern whether\n"
"that edge must be free; `touchy`: for each of the first characters whether it is one.");

static PyObject *
whole_places(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *places, *text, *result = NULL;
    Py_buffer left, right, touchy;
    Place place;

    if (!PyArg_ParseTuple(args, "O!Uy*y*y*", &PyList_Type, &places, &text, &left, &right, &touchy))
        return NULL;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    result = PyList_New(0);
    for (Py_ssize_t i = 0; result != NULL && i < PyList_GET_SIZE(places); i++) {
        PyObject *one = PyList_GET_ITEM(places, i);
        if (read_place(one, length, Py_MIN(left.len, right.len), &place) < 0) {
            Py_CLEAR(result);
            break;
        }
        Py_ssize_t before = place.start ? PyUnicode_READ(kind, data, place.start - 1) : ' ';
        Py_ssize_t after = place.end < length ? PyUnicode_READ(kind, data, place.end) : ' ';
        if (((const char *)left.buf)[place.pattern] && before < touchy.len && ((const char *)touchy.buf)[before])
            continue;
        if (((const char *)right.buf)[place.pattern] && after < touchy.len && ((const char *)touchy.buf)[after])
            continue;
        if (PyList_Append(result, one) < 0)
            Py_CLEAR(result);
    }
    PyBuffer_Release(&left);
    PyBuffer_Release(&right);
    PyBuffer_Release(&touchy);
    return result;
}

/* Of two places the one further left comes first, then the longer one. */
static int
compare_places(const void *one, const void *other)
{
    const Place *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

#define SEEN 200 /* term_matching._SEEN */

/* Whether a character is one of these. */
static inline int
is_one_of(uint32_t code, const char *those)
{
    return code != 0 && code < 0x80 && strchr(those, (int)code) != NULL;
}

static inline int
is_ascii_letter(uint32_t code)
{
    return (code | 0x20) - 'a' < 26;
}

static inline int
is_ascii_word(uint32_t code)
{
    return is_ascii_letter(code) || code - '0' < 10 || code == '_';
}

/* Whether text[start:end] has an @, or a point after a word with a letter and before a small letter. */
static int
is_dotted(int kind, const void *data, Py_ssize_t start, Py_ssize_t end)
{
    int has_letter = 0; /* the word that ends here */

    for (; start < end; start++) {
        uint32_t code = PyUnicode_READ(kind, data, start);
        if (code == '@')
            return 1;
        if (code == '.' && has_letter && start + 1 < end && PyUnicode_READ(kind, data, start + 1) - 'a' < 26u)
            return 1;
        has_letter = is_ascii_word(code) && (has_letter || is_ascii_letter(code));
    }
    return 0;
}

/* Whether the printable characters of text[first:end] at its end hold the beginning of an address. */
static int
follows_address(int kind, const void *data, Py_ssize_t first, Py_ssize_t end)
{
    Py_ssize_t start = end;

    while (start > first && PyUnicode_READ(kind, data, start - 1) - '!' <= '~' - '!')
        start--;
    for (Py_ssize_t at = start; at < end; at++) {
        uint32_t code = PyUnicode_READ(kind, data, at);
        if (code == ':' && end - at > 2 && PyUnicode_READ(kind, data, at + 1) == '/' && PyUnicode_READ(kind, data, at + 2) == '/')
            return 1;
        if ((code | 0x20) == 'w' && end - at > 3 && (PyUnicode_READ(kind, data, at + 1) | 0x20) == 'w'
            && (PyUnicode_READ(kind, data, at + 2) | 0x20) == 'w' && PyUnicode_READ(kind, data, at + 3) == '.'
            && (at == start || !is_ascii_word(PyUnicode_READ(kind, data, at - 1))))
            return 1;
    }
    return 0;
}

/* Whether text[start:end] is part of an address, a file name or a decimal number, or the one letter of C++ or X-ray. */
static int
is_part_of_address(int kind, const void *data, Py_ssize_t length, Py_ssize_t start, Py_ssize_t end)
{
    uint32_t before = start ? PyUnicode_READ(kind, data, start - 1) : 0;
    uint32_t after = end < length ? PyUnicode_READ(kind, data, end) : 0;
    Py_ssize_t first = start > SEEN ? start - SEEN : 0, last = length - end > SEEN ? end + SEEN : length;
    Py_ssize_t name = start, name_end = end;
    int is_pointed = 0;

    if (!is_one_of(before, "./@:_-=?&#%+'") && !is_one_of(after, "./@:_-=?&#%+'"))
        return 0;
    if (end - start == 1 && (is_one_of(before, "+#'&-") || is_one_of(after, "+#'&-")))
        return 1;
    if (follows_address(kind, data, first, start))
        return 1;
    for (; name > first; name--) {
        uint32_t code = PyUnicode_READ(kind, data, name - 1);
        if (!is_ascii_word(code) && !is_one_of(code, ".@-"))
            break;
        is_pointed |= code == '.' || code == '@';
    }
    for (; name_end < last; name_end++) {
        uint32_t code = PyUnicode_READ(kind, data, name_end);
        if (!is_ascii_word(code) && !is_one_of(code, ".@-"))
            break;
        is_pointed |= code == '.' || code == '@';
    }
    if (!is_pointed)
        return 0;
    if (Py_UNICODE_ISDIGIT(PyUnicode_READ(kind, data, start)) && start - name > 1 && before == '.'
        && PyUnicode_READ(kind, data, start - 2) - '0' < 10u)
        return 1;
    return is_dotted(kind, data, name, start + 1) || is_dotted(kind, data, end - 1, name_end);
}

PyDoc_STRVAR(longest_hits_doc,
"longest_hits(places, text, left, words, endings, own_case, hit_type)\n--\n\n"
"Hits of that type, (start, end, words): of the places, (start, end, pattern), the leftmost ones, of these the longest,\n"
"without overlaps. Left out are parts of addresses, of the patterns whose left edge must be free. `words`: of each\n"
"pattern, a tuple; if it is empty, `own_case(pattern, text)` gives them, or none for a place that is no hit.\n"
"`endings`: for each pattern how many of its last letters do not count.");

static PyObject *
longest_hits(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *given, *text, *words, *own_case, *type, *result = NULL;
    Py_buffer left, endings;
    Place *places = NULL;
    Py_ssize_t count = 0, free_from = 0;
    int is_done = 0;

    if (!PyArg_ParseTuple(args, "O!Uy*O!y*OO!", &PyList_Type, &given, &text, &left, &PyTuple_Type, &words, &endings,
                          &own_case, &PyType_Type, &type))
        return NULL;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), all = PyList_GET_SIZE(given);
    if (!PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type) || left.len != endings.len
        || left.len != PyTuple_GET_SIZE(words)) {
        PyErr_SetString(PyExc_ValueError, "a hit that is no tuple, or not as many of each as there are patterns");
        goto done;
    }
    places = PyMem_New(Place, all + 1);
    if (places == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < all && i < PyList_GET_SIZE(given); i++) {
        Place *place = &places[count];
        if (read_place(PyList_GET_ITEM(given, i), length, left.len, place) < 0)
            goto done;
        if (((const char *)left.buf)[place->pattern]
            && is_part_of_address(kind, data, length, place->start, place->end))
            continue;
        place->words = Py_NewRef(PyTuple_GET_ITEM(words, place->pattern));
        if (PyTuple_Check(place->words) && PyTuple_GET_SIZE(place->words) == 0) {
            PyObject *found = PyUnicode_Substring(text, place->start, place->end);
            Py_SETREF(place->words, found == NULL ? NULL : PyObject_CallFunction(own_case, "nO", place->pattern, found));
            Py_XDECREF(found);
        }
        if (place->words == NULL || !PyTuple_Check(place->words)) {
            if (place->words != NULL)
                PyErr_SetString(PyExc_TypeError, "words that are no tuple");
            Py_XDECREF(place->words);
            goto done;
        }
        if (PyTuple_GET_SIZE(place->words) == 0) {
            Py_DECREF(place->words);
            continue;
        }
        place->rank = count++;
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    result = PyList_New(0);
    for (Py_ssize_t i = 0; result != NULL && i < count; i++) {
        if (places[i].start < free_from)
            continue;
        free_from = places[i].end;
        PyObject *hit = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 3);
        if (hit != NULL) {
            Py_ssize_t ending = ((const unsigned char *)endings.buf)[places[i].pattern];
            PyTuple_SET_ITEM(hit, 0, PyLong_FromSsize_t(places[i].start));
            PyTuple_SET_ITEM(hit, 1, PyLong_FromSsize_t(places[i].end - ending));
            PyTuple_SET_ITEM(hit, 2, Py_NewRef(places[i].words));
        }
        is_done = hit != NULL && PyTuple_GET_ITEM(hit, 0) != NULL && PyTuple_GET_ITEM(hit, 1) != NULL
            && PyList_Append(result, hit) == 0;
        Py_XDECREF(hit);
        if (!is_done)
            Py_CLEAR(result);
    }
done:
    for (Py_ssize_t i = 0; i < count; i++)
        Py_DECREF(places[i].words);
    PyMem_Free(places);
    PyBuffer_Release(&left);
    PyBuffer_Release(&endings);
    return result;
}

PyDoc_STRVAR(mentions_in_doc,
"mentions_in(hits, spans, anchor, other, mention_type)\n--\n\n"
"Of hits, (start, end, words), and spans, (start, end, position), both in the order of the text, the mentions: a tuple\n"
"of that type, (start, end, word, position of the span), for each word; `other` where there are no spans. Then how many\n"
"characters are in spans that are no `anchor`, and in those that are.");

static PyObject *
mentions_in(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *hits, *spans, *anchor, *other, *type, *mentions = NULL, *result = NULL;
    Py_ssize_t *starts = NULL, number, span = 0, length = 0, inside = 0;

    if (!PyArg_ParseTuple(args, "O!O!OOO!", &PyList_Type, &hits, &PyTuple_Type, &spans, &anchor, &other, &PyType_Type, &type))
        return NULL;
    number = PyTuple_GET_SIZE(spans);
    if (!PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_ValueError, "a mention that is no tuple");
        return NULL;
    }
    starts = PyMem_New(Py_ssize_t, number + 1);
    mentions = PyList_New(0);
    if (starts == NULL || mentions == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < number; i++) {
        Py_ssize_t end;
        PyObject *position;
        if (!PyTuple_Check(PyTuple_GET_ITEM(spans, i))
            || !PyArg_ParseTuple(PyTuple_GET_ITEM(spans, i), "nnO", &starts[i], &end, &position)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "a span is no triple");
            goto done;
        }
        if (starts[i] < 0 || end < starts[i] || end > PY_SSIZE_T_MAX / 4 / number) {
            PyErr_SetString(PyExc_ValueError, "a span ends before it begins");
            goto done;
        }
        *(position == anchor ? &inside : &length) += end - starts[i];
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(hits); i++) {
        PyObject *hit = PyList_GET_ITEM(hits, i);
        if (!PyTuple_Check(hit) || PyTuple_GET_SIZE(hit) != 3 || !PyTuple_Check(PyTuple_GET_ITEM(hit, 2))) {
            PyErr_SetString(PyExc_TypeError, "a hit is no triple");
            goto done;
        }
        PyObject *words = PyTuple_GET_ITEM(hit, 2);
        Py_ssize_t start = PyLong_AsSsize_t(PyTuple_GET_ITEM(hit, 0));
        if (start == -1 && PyErr_Occurred())
            goto done;
        while (span + 1 < number && starts[span + 1] <= start)
            span++;
        for (Py_ssize_t word = 0; word < PyTuple_GET_SIZE(words); word++) {
            PyObject *mention = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 4);
            if (mention == NULL)
                goto done;
            PyTuple_SET_ITEM(mention, 0, Py_NewRef(PyTuple_GET_ITEM(hit, 0)));
            PyTuple_SET_ITEM(mention, 1, Py_NewRef(PyTuple_GET_ITEM(hit, 1)));
            PyTuple_SET_ITEM(mention, 2, Py_NewRef(PyTuple_GET_ITEM(words, word)));
            PyTuple_SET_ITEM(mention, 3, Py_NewRef(number ? PyTuple_GET_ITEM(PyTuple_GET_ITEM(spans, span), 2) : other));
            int failed = PyList_Append(mentions, mention);
            Py_DECREF(mention);
            if (failed)
                goto done;
        }
    }
    result = Py_BuildValue("Nnn", PyList_AsTuple(mentions), length, inside);
done:
    Py_XDECREF(mentions);
    PyMem_Free(starts);
    return result;
}
