/* Words as numbers: semantic/learning/feature_hashing.py. */

#define CHARACTERS 0x110000
#define HAN_MARK 0x80000000u
#define BLANK 0x20u
#define NUMBERS ((1u << 18) - 1) /* feature_hashing.SIZE - 1 */

static uint32_t crc_table[256];

static void
make_crc_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xEDB88320u ^ crc >> 1 : crc >> 1;
        crc_table[byte] = crc;
    }
}

static inline uint32_t
crc_byte(uint32_t crc, uint32_t byte)
{
    return crc_table[(crc ^ byte) & 0xFF] ^ crc >> 8;
}

/* The CRC-32 with one more character, in UTF-8. The state is inverted, as between the bytes of one CRC. */
static inline uint32_t
crc_character(uint32_t crc, uint32_t code)
{
    if (code < 0x80)
        return crc_byte(crc, code);
    if (code < 0x800) {
        crc = crc_byte(crc, 0xC0 | code >> 6);
        return crc_byte(crc, 0x80 | (code & 0x3F));
    }
    if (code < 0x10000) {
        crc = crc_byte(crc, 0xE0 | code >> 12);
        crc = crc_byte(crc, 0x80 | (code >> 6 & 0x3F));
        return crc_byte(crc, 0x80 | (code & 0x3F));
    }
    crc = crc_byte(crc, 0xF0 | code >> 18);
    crc = crc_byte(crc, 0x80 | (code >> 12 & 0x3F));
    crc = crc_byte(crc, 0x80 | (code >> 6 & 0x3F));
    return crc_byte(crc, 0x80 | (code & 0x3F));
}

static inline uint32_t
number_of(uint32_t crc)
{
    return (crc ^ 0xFFFFFFFFu) % NUMBERS + 1;
}

/* The table of characters: what each is in a word, a Han one with a mark; a blank for what is in none. */
static int
get_characters(PyObject *object, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) < 0)
        return -1;
    if (view->len != (Py_ssize_t)CHARACTERS * 4 || (uintptr_t)view->buf % 4) {
        PyBuffer_Release(view);
        PyErr_SetString(PyExc_ValueError, "not a table of all characters");
        return -1;
    }
    return 0;
}

/* A walk over the words of a text, as feature_hashing.words cuts them. */
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length, at;
    const uint32_t *characters;
    uint32_t han; /* the Han character before `at`, 0 for none: it may begin a pair */
} Words;

typedef struct {
    uint32_t number;
    Py_ssize_t start, end; /* where it stands in the text */
} Word;

static inline uint32_t
character_at(const Words *words, Py_ssize_t at)
{
    Py_UCS4 code = PyUnicode_READ(words->kind, words->data, at);
    return code < CHARACTERS ? words->characters[code] : BLANK;
}

static void
begin_words(Words *words, PyObject *text, const uint32_t *characters)
{
    words->kind = PyUnicode_KIND(text);
    words->data = PyUnicode_DATA(text);
    words->length = PyUnicode_GET_LENGTH(text);
    words->at = 0;
    words->characters = characters;
    words->han = 0;
}

/* The next word, hashed from `start` on; 0 where there is none. */
static int
next_word(Words *words, uint32_t start, Word *found)
{
    while (words->at < words->length) {
        uint32_t code = character_at(words, words->at), crc;
        if (code & HAN_MARK) {
            uint32_t before = words->han;
            words->han = code;
            words->at++;
            if (before) {
                crc = crc_character(crc_character(start, before & ~HAN_MARK), code & ~HAN_MARK);
                found->number = number_of(crc);
                found->start = words->at - 2;
                found->end = words->at;
                return 1;
            }
            continue;
        }
        words->han = 0;
        if (code <= BLANK) {
            words->at++;
            continue;
        }
        crc = start;
        found->start = words->at;
        do {
            crc = crc_character(crc, code);
            words->at++;
            if (words->at >= words->length)
                break;
            code = character_at(words, words->at);
        } while (code > BLANK && !(code & HAN_MARK));
        found->number = number_of(crc);
        found->end = words->at;
        return 1;
    }
    return 0;
}

#define PART_BITS 3
#define DIGIT_BITS 11 /* two digits hold a number and its part */
#define DIGITS (1 << DIGIT_BITS)

/* Sort numbers below 2^22 by their low, then by their high digit; `aside` has as much room. */
static void
sort_numbers(uint32_t *numbers, uint32_t *aside, Py_ssize_t count)
{
    for (int shift = 0; shift <= DIGIT_BITS; shift += DIGIT_BITS) {
        Py_ssize_t begins[DIGITS + 1] = {0};
        uint32_t *swapped = numbers;
        for (Py_ssize_t i = 0; i < count; i++)
            begins[(numbers[i] >> shift & (DIGITS - 1)) + 1]++;
        for (int digit = 0; digit < DIGITS; digit++)
            begins[digit + 1] += begins[digit];
        for (Py_ssize_t i = 0; i < count; i++)
            aside[begins[numbers[i] >> shift & (DIGITS - 1)]++] = numbers[i];
        numbers = aside;
        aside = swapped;
    }
}

/* The bounds and the position of a span of a text, within it; -1 in error. */
static int
read_span(PyObject *span, Py_ssize_t length, Py_ssize_t *start, Py_ssize_t *end, PyObject **position)
{
    if (!PyTuple_Check(span) || PyTuple_GET_SIZE(span) != 3) {
        PyErr_SetString(PyExc_TypeError, "no span");
        return -1;
    }
    *start = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 0));
    if (*start == -1 && PyErr_Occurred())
        return -1;
    *end = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 1));
    if (*end == -1 && PyErr_Occurred())
        return -1;
    if (*start < 0 || *end < 0) {
        PyErr_SetString(PyExc_ValueError, "a span begins before the text");
        return -1;
    }
    *start = Py_MIN(*start, length);
    *end = Py_MIN(*end, length);
    *position = PyTuple_GET_ITEM(span, 2);
    return 0;
}

PyDoc_STRVAR(weighed_numbers_doc,
"weighed_numbers(text, spans, weights, characters, start)\n--\n\n"
"The numbers of all words of a text, ascending, each once (bytes of int32), and the sum of the weights of the spans\n"
"in which it stands, by occurrence (bytes of double). Up to eight different weights, by position.");

static PyObject *
weighed_numbers(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *spans, *given, *table, *result = NULL;
    unsigned int start;
    Py_buffer view;
    double weights[1 << PART_BITS] = {0}, *sums = NULL;
    uint32_t *numbers = NULL, *aside = NULL, parts = 0; /* a part: all spans of one weight */
    Py_ssize_t room = 0, count = 0, found = 0;

    if (!PyArg_ParseTuple(args, "UO!O!OI", &text, &PyTuple_Type, &spans, &PyDict_Type, &given, &table, &start)
        || get_characters(table, &view) < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(spans); i++) {
        Words words;
        Word word;
        PyObject *position, *weight;
        uint32_t part = 0;
        begin_words(&words, text, view.buf);
        if (read_span(PyTuple_GET_ITEM(spans, i), words.length, &words.at, &words.length, &position) < 0)
            goto end;
        weight = PyDict_GetItemWithError(given, position);
        if (weight == NULL || !PyFloat_Check(weight)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a position has no weight");
            goto end;
        }
        while (part < parts && weights[part] != PyFloat_AS_DOUBLE(weight))
            part++;
        if (part == 1 << PART_BITS) {
            PyErr_SetString(PyExc_ValueError, "more than eight weights");
            goto end;
        }
        if (part == parts)
            weights[parts++] = PyFloat_AS_DOUBLE(weight);
        while (next_word(&words, start ^ 0xFFFFFFFFu, &word)) {
            if (make_room((void **)&numbers, &room, count + 1, sizeof *numbers) < 0)
                goto end;
            numbers[count++] = word.number << PART_BITS | part;
        }
    }
    aside = PyMem_New(uint32_t, count + 1);
    sums = PyMem_New(double, count + 1);
    if (aside == NULL || sums == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    if (count)
        sort_numbers(numbers, aside, count); /* after two rounds they are where they were */
    for (Py_ssize_t i = 0; i < count;) {
        uint32_t number = numbers[i] >> PART_BITS;
        double first = 0.0, others = 0.0; /* added in the order in which numpy does */
        int is_first = 1;
        while (i < count && numbers[i] >> PART_BITS == number) {
            uint32_t both = numbers[i];
            Py_ssize_t occurrences = 0;
            double share;
            for (; i < count && numbers[i] == both; i++)
                occurrences++;
            share = weights[both & ((1 << PART_BITS) - 1)] * (double)occurrences;
            if (is_first)
                first = share;
            else
                others += share;
            is_first = 0;
        }
        sums[found] = first + others;
        aside[found++] = number;
    }
    result = Py_BuildValue("y#y#", (char *)aside, found * (Py_ssize_t)sizeof *aside, (char *)sums,
                           found * (Py_ssize_t)sizeof *sums);
end:
    PyMem_Free(numbers);
    PyMem_Free(aside);
    PyMem_Free(sums);
    PyBuffer_Release(&view);
    return result;
}

/* Whether two stretches of a text are the same word. */
static int
is_same_word(const Words *words, const Word *one, const Word *other)
{
    if (one->number != other->number || one->end - one->start != other->end - other->start)
        return 0;
    for (Py_ssize_t i = 0; i < one->end - one->start; i++)
        if (character_at(words, one->start + i) != character_at(words, other->start + i))
            return 0;
    return 1;
}

#define MOST_WORDS 32

/* The first `most` different words of a text, MOST_WORDS at most; gives how many there are. */
static int
find_first(PyObject *text, const uint32_t *characters, uint32_t start, int most, Word *found)
{
    Words words;
    Word word;
    int count = 0;

    begin_words(&words, text, characters);
    while (count < most && next_word(&words, start, &word)) {
        int known = 0;
        for (int i = 0; i < count && !known; i++)
            known = is_same_word(&words, &found[i], &word);
        if (!known)
            found[count++] = word;
    }
    return count;
}

/* Fill `2 * half` slots with the numbers of the last words of one text and the first of another, ascending, each once,
   after as many 0 as there are fewer. */
static void
find_near(PyObject *before, PyObject *after, const uint32_t *characters, uint32_t start, int half, int32_t *padded)
{
    Words words;
    Word word;
    int32_t last[MOST_WORDS], slots[2 * MOST_WORDS];
    int count = 0, seen = 0;

    begin_words(&words, before, characters);
    while (next_word(&words, start, &word)) {
        last[seen % half] = (int32_t)word.number; /* `seen` stays below 2 * half */
        seen = seen + 1 < 2 * half ? seen + 1 : half;
    }
    for (int i = 0; i < seen && i < half; i++)
        slots[count++] = last[i];
    begin_words(&words, after, characters);
    for (int i = 0; i < half && next_word(&words, start, &word); i++)
        slots[count++] = (int32_t)word.number;
    for (int i = 1; i < count; i++) { /* at most 64: sorted by insertion */
        int32_t number = slots[i];
        int at = i;
        for (; at > 0 && slots[at - 1] > number; at--)
            slots[at] = slots[at - 1];
        slots[at] = number;
    }
    for (int i = 0; i < 2 * half - count; i++)
        padded[i] = 0;
    for (int i = 0; i < count; i++)
        padded[2 * half - count + i] = i > 0 && slots[i] == slots[i - 1] ? 0 : slots[i];
}
