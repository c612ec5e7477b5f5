/* The loops that run for every token, character or link of a page, and the entries of the queue, in C.
 *
 * Each function does what a Python function of the project does, to the byte. That one says what and why, and runs where
 * this file was not compiled (semantic/compiled.py); tests compare both forms (tests/semantic/test_compiled.py).
 *
 * What comes in was written by strangers. So: every allocation is checked, every index is bounded by a length that was
 * asked here, sizes are checked before they are multiplied, and nothing recurses.
 *
 * Built by compile_parts.py; only the public C interface of CPython is used.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef SOURCE_DIGEST
#define SOURCE_DIGEST ""
#endif

/* ---- growing arrays -------------------------------------------------------------------------------------------- */

/* Make room for `needed` entries of `size` bytes; 0 where that worked. */
static int
make_room(void **array, Py_ssize_t *room, Py_ssize_t needed, size_t size)
{
    Py_ssize_t wanted;
    void *moved;

    if (needed <= *room)
        return 0;
    if (needed > PY_SSIZE_T_MAX / 2 / (Py_ssize_t)size) {
        PyErr_NoMemory();
        return -1;
    }
    wanted = *room < 64 ? 64 : *room + *room / 2;
    if (wanted < needed || wanted > PY_SSIZE_T_MAX / 2 / (Py_ssize_t)size)
        wanted = needed;
    moved = PyMem_Realloc(*array, (size_t)wanted * size);
    if (moved == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *array = moved;
    *room = wanted;
    return 0;
}

/* ---- words as numbers: semantic/learning/feature_hashing.py ------------------------------------------------------- */

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

/* ---- runs of characters: semantic/parsing/fingerprint.py ----------------------------------------------------------- */

#define RUN 8
#define BASE UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t
mixed(uint64_t number)
{
    number ^= number >> 30;
    number *= UINT64_C(0xBF58476D1CE4E5B9);
    number ^= number >> 27;
    number *= UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

/* The lower case of a character by itself. */
static inline uint32_t
lowered(uint32_t code)
{
    if (code >= 0x80)
        return Py_UNICODE_TOLOWER(code);
    return code - 'A' < 26 ? code + 'a' - 'A' : code;
}

#define HASH_DIGITS 256

/* Sort hashes by one byte after the other, the lowest first; `aside` has as much room. */
static void
sort_hashes(uint64_t *hashes, uint64_t *aside, Py_ssize_t count)
{
    for (int shift = 0; shift < 64; shift += 8) {
        Py_ssize_t begins[HASH_DIGITS + 1] = {0};
        uint64_t *swapped = hashes;
        for (Py_ssize_t i = 0; i < count; i++)
            begins[(hashes[i] >> shift & (HASH_DIGITS - 1)) + 1]++;
        for (int digit = 0; digit < HASH_DIGITS; digit++)
            begins[digit + 1] += begins[digit];
        for (Py_ssize_t i = 0; i < count; i++)
            aside[begins[hashes[i] >> shift & (HASH_DIGITS - 1)]++] = hashes[i];
        hashes = aside;
        aside = swapped;
    }
}

/* Each bit that more than half of the features have, mixed once more. */
static uint64_t
simhash(const uint64_t *hashes, Py_ssize_t count)
{
    Py_ssize_t by_byte[8][256] = {{0}};
    uint64_t found = 0;

    for (Py_ssize_t i = 0; i < count; i++) {
        uint64_t hash = mixed(hashes[i]);
        for (int byte = 0; byte < 8; byte++)
            by_byte[byte][hash >> 8 * byte & 0xFF]++;
    }
    for (int byte = 0; byte < 8; byte++) {
        Py_ssize_t votes[8] = {0};
        for (int value = 0; value < 256; value++)
            for (int bit = 0; bit < 8; bit++)
                votes[bit] += (value >> bit & 1) * by_byte[byte][value];
        for (int bit = 0; bit < 8; bit++)
            if (2 * votes[bit] > count)
                found |= UINT64_C(1) << (8 * byte + bit);
    }
    return found;
}

PyDoc_STRVAR(features_doc,
"features(text, fewest, sampled)\n--\n\n"
"Features of a text: hashes of one in four runs of eight characters, case and blanks folded. Gives their SimHash and a\n"
"set of those below `sampled`; of a text with less than `fewest` characters None and a set of all.\n"
"Where the lower case of a character is two, or its place decides, the text is lowered already.");

static PyObject *
features(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *result = NULL, *sample = NULL;
    uint64_t *hashes = NULL, *aside = NULL, run = 0, leaving = 1;
    uint32_t *codes = NULL;
    unsigned long long sampled;
    Py_ssize_t fewest, length, count = 0, distinct = 0, seen = RUN; /* as many of code 0 stand before the first */
    int pending = 0;

    if (!PyArg_ParseTuple(args, "UnK", &text, &fewest, &sampled))
        return NULL;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    length = PyUnicode_GET_LENGTH(text);
    if (length < PY_SSIZE_T_MAX / 16) {
        codes = PyMem_New(uint32_t, length + RUN);
        hashes = PyMem_New(uint64_t, length + 1);
    }
    if (codes == NULL || hashes == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    memset(codes, 0, RUN * sizeof *codes);
    for (Py_ssize_t at = 0; at < length; at++) { /* never more than it was: a blank is written for one that was read */
        uint32_t code = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_ISSPACE(code)) {
            pending = seen > RUN;
            continue;
        }
        if (pending)
            codes[seen++] = BLANK;
        pending = 0;
        codes[seen++] = lowered(code);
    }
    for (int i = 0; i < RUN; i++)
        leaving *= BASE;
    for (Py_ssize_t at = RUN; at < seen; at++) {
        run = run * BASE + codes[at] - codes[at - RUN] * leaving;
        if (at >= 2 * RUN - 1) {
            uint64_t hash = mixed(run);
            hashes[count] = hash >> 2;
            count += !(hash & 3);
        }
    }
    aside = PyMem_New(uint64_t, count + 1);
    if (aside == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    if (count)
        sort_hashes(hashes, aside, count); /* after eight rounds they are where they were */
    for (Py_ssize_t i = 0; i < count; i++)
        if (i == 0 || hashes[i] != hashes[i - 1])
            aside[distinct++] = hashes[i];
    sample = PyFrozenSet_New(NULL);
    for (Py_ssize_t i = 0; sample != NULL && i < distinct && (aside[i] < sampled || seen - RUN < fewest); i++) {
        PyObject *hash = PyLong_FromUnsignedLongLong(aside[i]);
        if (hash == NULL || PySet_Add(sample, hash) < 0) /* nobody else has the set yet */
            Py_CLEAR(sample);
        Py_XDECREF(hash);
    }
    if (sample != NULL && seen - RUN < fewest)
        result = Py_BuildValue("OO", Py_None, sample);
    else if (sample != NULL)
        result = Py_BuildValue("KO", (unsigned long long)simhash(aside, distinct), sample);
end:
    Py_XDECREF(sample);
    PyMem_Free(codes);
    PyMem_Free(hashes);
    PyMem_Free(aside);
    return result;
}

/* ---- language and kind: semantic/parsing/page_kind.py -------------------------------------------------------------- */

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

/* ---- HTML: semantic/parsing/html_extraction.py --------------------------------------------------------------------- */

/* What a start tag does, as html_extraction numbers it. */
enum action { OPEN, BLOCK, BREAK, SKIP, RANKED, UNREAD, HTML, LINK, AREA, IMAGE, BASE_ADDRESS, RELATED, META, ACTIONS };

#define MOST_TAGS 128
#define MOST_POSITIONS 16

typedef struct {
    uint64_t low, high;
} TagSet;

typedef struct {
    int action, position, is_block;
    TagSet ended, limits; /* which open elements it ends, and which keep it from that */
} Tag;

/* How an attribute of a token is read: by the function behind it, where it is one of C, else by its name. */
typedef struct {
    PyObject *name, *descriptor;
    PyTypeObject *type;
    getter get;
    void *closure;
} Attribute;

typedef struct {
    PyObject *names; /* name -> its place in `tags` */
    Attribute type_of, tag_of, data_of;
    PyObject *text, *start_tag, *end_tag; /* kinds of tokens */
    PyObject *positions[MOST_POSITIONS];
    PyObject *span_type;
    PyObject *rel_of, *related_of, *meta_of; /* for what is rare, Python is asked */
    PyObject *paragraph, *no_rels;
    int positions_count, anchor, title, other;
    int a, svg, title_tag;
    Py_ssize_t most_links, path_length, reach, name_length, deep;
    TagSet cells, tables, blocks;
    Tag tags[MOST_TAGS];
} Tables;

typedef struct {
    PyObject *tag, *name, *token; /* name: in a DOM path; until it is known, the token tells it */
    int id, position;
} Element;

typedef struct {
    PyObject *href, *title, *rel, *path, *alts; /* alts: a list, or NULL */
    Py_ssize_t node, start, end;
} FoundLink;

typedef struct {
    const Tables *tables;
    Element *stack;
    Py_ssize_t depth, stack_room;
    FoundLink *links;
    Py_ssize_t links_count, links_room;
    Py_ssize_t *nodes;
    Py_ssize_t nodes_count, nodes_room;
    PyObject *parts, *spans;
    PyObject *title, *language, *base, *canonical, *feed, *robots;
    Py_ssize_t length, fewest, link, link_depth, unread_depth, titles;
    int position, blank, new_block, unread;
    char *folded; /* a text with its blanks folded */
    Py_ssize_t folded_room;
} Reader;

static PyObject *name_type, *name_tag, *name_data, *name_attr, *name_self_closing; /* attributes of tokens */
static PyObject *key_id, *key_class, *key_title, *key_rel, *key_href, *key_alt, *key_lang, *key_xml_lang;
static PyObject *empty, *one_blank, *slash;

static void
find_attribute(Attribute *attribute, PyObject *type, PyObject *name)
{
    PyObject *descriptor = PyObject_GetAttr(type, name);
    attribute->name = name;
    if (descriptor == NULL) {
        PyErr_Clear(); /* then it is asked by its name */
        return;
    }
    if (Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) && PyDescr_TYPE(descriptor) == (PyTypeObject *)type) {
        attribute->type = (PyTypeObject *)type;
        attribute->get = ((PyGetSetDescrObject *)descriptor)->d_getset->get;
        attribute->closure = ((PyGetSetDescrObject *)descriptor)->d_getset->closure;
    }
    attribute->descriptor = descriptor; /* keeps the type */
}

static inline PyObject *
read_attribute(const Attribute *attribute, PyObject *token)
{
    if (attribute->get != NULL && Py_IS_TYPE(token, attribute->type))
        return attribute->get(token, attribute->closure);
    return PyObject_GetAttr(token, attribute->name);
}

static inline int
is_in(const TagSet *set, int id)
{
    if (id < 0)
        return 0;
    return (int)((id < 64 ? set->low >> id : set->high >> (id - 64)) & 1);
}

static inline void
put_in(TagSet *set, int id)
{
    if (id < 64)
        set->low |= UINT64_C(1) << id;
    else
        set->high |= UINT64_C(1) << (id - 64);
}

/* The place of a tag in the table: -1 for one that is not there, -2 for an error. */
static int
id_of(const Tables *tables, PyObject *name)
{
    PyObject *place = PyDict_GetItemWithError(tables->names, name);
    if (place == NULL)
        return PyErr_Occurred() ? -2 : -1;
    return (int)PyLong_AsLong(place);
}

/* An attribute of a tag, a new reference: None where it has none. */
static PyObject *
attribute(PyObject *token, PyObject *name)
{
    PyObject *value = PyObject_CallMethodOneArg(token, name_attr, name);
    if (value != NULL && value != Py_None && !PyUnicode_Check(value)) {
        Py_DECREF(value);
        PyErr_SetString(PyExc_TypeError, "an attribute is no str");
        return NULL;
    }
    return value;
}

/* The same, "" where it has none. */
static PyObject *
attribute_text(PyObject *token, PyObject *name)
{
    PyObject *value = attribute(token, name);
    if (value == Py_None) {
        Py_DECREF(value);
        return Py_NewRef(empty);
    }
    return value;
}

/* text.strip() */
static PyObject *
stripped(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t start = 0, end = PyUnicode_GET_LENGTH(text);
    while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
        start++;
    while (end > start && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)))
        end--;
    return PyUnicode_Substring(text, start, end);
}

/* " ".join(text.split()). `buffer` may be used for it. */
static PyObject *
with_folded_blanks(PyObject *text, char **buffer, Py_ssize_t *room)
{
    int kind = PyUnicode_KIND(text), pending = 0;
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), written = 0, at = 0;

    for (; at < length; at++) { /* most texts are as they should be */
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_ISSPACE(code)
            && (code != BLANK || at == 0 || at + 1 == length
                || Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at + 1))))
            break;
    }
    if (at == length)
        return Py_NewRef(text);
    if (length > PY_SSIZE_T_MAX / 8)
        return PyErr_NoMemory();
    if (make_room((void **)buffer, room, length * kind, 1) < 0)
        return NULL;
    for (at = 0; at < length; at++) { /* never more than it was: a blank is written for one that was read */
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_ISSPACE(code)) {
            pending = written > 0;
            continue;
        }
        if (pending) {
            PyUnicode_WRITE(kind, *buffer, written, BLANK);
            written++;
            pending = 0;
        }
        PyUnicode_WRITE(kind, *buffer, written, code);
        written++;
    }
    return PyUnicode_FromKindAndData(kind, *buffer, written);
}

/* ---- what is open ---- */

static void
drop_element(Element *element)
{
    Py_CLEAR(element->tag);
    Py_CLEAR(element->name);
    Py_CLEAR(element->token);
}

static void
end_link(Reader *reader)
{
    if (reader->link >= 0) {
        FoundLink *link = &reader->links[reader->link];
        link->end = reader->length;
        if (link->start < 0)
            link->start = reader->length;
    }
    reader->link = -1;
    reader->link_depth = 0;
}

/* Close all elements from `depth` on. */
static void
cut(Reader *reader, Py_ssize_t depth)
{
    if (depth < reader->depth) {
        reader->position = reader->stack[depth].position;
        while (reader->depth > depth)
            drop_element(&reader->stack[--reader->depth]);
    }
    if (depth < reader->fewest)
        reader->fewest = depth;
    if (depth < reader->link_depth)
        end_link(reader);
}

/* Close the innermost element within reach that is in `ended`, unless one of `limits` is further in. */
static void
end_within(Reader *reader, const TagSet *ended, const TagSet *limits)
{
    Py_ssize_t last = reader->depth > reader->tables->reach ? reader->depth - reader->tables->reach : 0;
    for (Py_ssize_t depth = reader->depth - 1; depth >= last; depth--) {
        int id = reader->stack[depth].id;
        if (is_in(ended, id)) {
            cut(reader, depth);
            return;
        }
        if (is_in(limits, id))
            return;
    }
}

/* The same for an element of this very tag; -1 for an error. */
static int
end_named(Reader *reader, PyObject *tag, int id, const TagSet *limits)
{
    Py_ssize_t last = reader->depth > reader->tables->reach ? reader->depth - reader->tables->reach : 0;
    for (Py_ssize_t depth = reader->depth - 1; depth >= last; depth--) {
        Element *element = &reader->stack[depth];
        if (element->id == id && (id >= 0 || PyUnicode_Compare(element->tag, tag) == 0)) {
            cut(reader, depth);
            return 0;
        }
        if (PyErr_Occurred())
            return -1;
        if (is_in(limits, element->id))
            return 0;
    }
    return 0;
}

static int
open_element(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    Element *element;
    PyObject *name = NULL;

    if (make_room((void **)&reader->stack, &reader->stack_room, reader->depth + 1, sizeof *reader->stack) < 0)
        return -1;
    if (reader->depth >= reader->tables->deep) {
        name = PyUnicode_Substring(tag, 0, reader->tables->name_length);
        if (name == NULL)
            return -1;
        token = NULL;
    }
    element = &reader->stack[reader->depth++];
    element->tag = Py_NewRef(tag);
    element->name = name;
    element->token = Py_XNewRef(token);
    element->id = id;
    element->position = reader->position;
    return 0;
}

static int
start_block(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    const Tag *row = &reader->tables->tags[id];
    reader->new_block = 1;
    if (reader->depth && !is_in(&row->limits, reader->stack[reader->depth - 1].id))
        end_within(reader, &row->ended, &row->limits);
    return open_element(reader, tag, id, token);
}

/* ---- links ---- */

/* A text, a sign and another text. */
static PyObject *
with_mark(PyObject *before, char mark, PyObject *after)
{
    Py_ssize_t at = PyUnicode_GET_LENGTH(before), length = PyUnicode_GET_LENGTH(after);
    Py_UCS4 most = Py_MAX(PyUnicode_MAX_CHAR_VALUE(before), PyUnicode_MAX_CHAR_VALUE(after));
    PyObject *both = PyUnicode_New(at + 1 + length, most);

    if (both == NULL)
        return NULL;
    if (PyUnicode_CopyCharacters(both, 0, before, 0, at) < 0 || PyUnicode_WriteChar(both, at, (Py_UCS4)mark) < 0
        || PyUnicode_CopyCharacters(both, at + 1, after, 0, length) < 0)
        Py_CLEAR(both);
    return both;
}

/* The name of an element in a DOM path: `div#main`, else `div.box`, else `div`. */
static PyObject *
path_name(const Tables *tables, PyObject *tag, PyObject *token)
{
    PyObject *name, *value, *short_tag = PyUnicode_Substring(tag, 0, tables->name_length);
    Py_ssize_t start = 0, end, length;
    char mark = '#';

    if (short_tag == NULL)
        return NULL;
    value = attribute_text(token, key_id);
    if (value != NULL && PyUnicode_GET_LENGTH(value) == 0) {
        Py_DECREF(value);
        mark = '.';
        value = attribute_text(token, key_class);
    }
    if (value == NULL) {
        Py_DECREF(short_tag);
        return NULL;
    }
    length = PyUnicode_GET_LENGTH(value);
    if (mark == '.') { /* the first of its classes */
        int kind = PyUnicode_KIND(value);
        const void *data = PyUnicode_DATA(value);
        while (start < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
            start++;
        for (end = start; end < length && !Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end)); end++)
            ;
        length = end;
    }
    end = length - start > tables->name_length ? start + tables->name_length : length;
    if (start == end) {
        Py_DECREF(value);
        return short_tag;
    }
    PyObject *part = PyUnicode_Substring(value, start, end);
    name = part == NULL ? NULL : with_mark(short_tag, mark, part);
    Py_XDECREF(part);
    Py_DECREF(value);
    Py_DECREF(short_tag);
    return name;
}

/* The DOM path of the innermost element. */
static PyObject *
path_of(Reader *reader)
{
    const Tables *tables = reader->tables;
    Py_ssize_t first = reader->depth > tables->path_length ? reader->depth - tables->path_length : 0;
    PyObject *path, *names = PyList_New(reader->depth - first);

    if (names == NULL)
        return NULL;
    for (Py_ssize_t depth = first; depth < reader->depth; depth++) {
        Element *element = &reader->stack[depth];
        if (element->name == NULL) {
            element->name = path_name(tables, element->tag, element->token);
            if (element->name == NULL) {
                Py_DECREF(names);
                return NULL;
            }
            Py_CLEAR(element->token);
        }
        PyList_SET_ITEM(names, depth - first, Py_NewRef(element->name));
    }
    path = PyUnicode_Join(slash, names);
    Py_DECREF(names);
    return path;
}

static int
add_node(Reader *reader, Py_ssize_t where)
{
    if (make_room((void **)&reader->nodes, &reader->nodes_room, reader->nodes_count + 3, sizeof *reader->nodes) < 0)
        return -1;
    reader->nodes[reader->nodes_count++] = where;
    reader->nodes[reader->nodes_count++] = reader->depth;
    reader->nodes[reader->nodes_count++] = reader->fewest;
    reader->fewest = reader->depth;
    return 0;
}

static void
drop_link(FoundLink *link)
{
    Py_CLEAR(link->href);
    Py_CLEAR(link->title);
    Py_CLEAR(link->rel);
    Py_CLEAR(link->path);
    Py_CLEAR(link->alts);
}

/* Make a link of the innermost element if it leads to another page: 1 if so, -1 for an error. Takes `href` over. */
static int
new_link(Reader *reader, PyObject *href, PyObject *token)
{
    const Tables *tables = reader->tables;
    FoundLink link = {0};
    PyObject *value;

    if (href == NULL)
        return -1;
    link.href = stripped(href);
    Py_DECREF(href);
    if (link.href == NULL)
        return -1;
    if (PyUnicode_GET_LENGTH(link.href) == 0 || PyUnicode_READ_CHAR(link.href, 0) == '#'
        || reader->links_count >= tables->most_links) {
        drop_link(&link);
        return 0;
    }
    value = attribute_text(token, key_title);
    if (value == NULL)
        goto fail;
    link.title = with_folded_blanks(value, &reader->folded, &reader->folded_room);
    Py_DECREF(value);
    if (link.title == NULL)
        goto fail;
    value = attribute_text(token, key_rel);
    if (value == NULL)
        goto fail;
    link.rel = PyUnicode_GET_LENGTH(value) ? PyObject_CallOneArg(tables->rel_of, value) : Py_NewRef(tables->no_rels);
    Py_DECREF(value);
    if (link.rel == NULL)
        goto fail;
    link.path = path_of(reader);
    if (link.path == NULL)
        goto fail;
    link.node = reader->nodes_count / 3;
    link.start = link.end = -1;
    if (make_room((void **)&reader->links, &reader->links_room, reader->links_count + 1, sizeof link) < 0
        || add_node(reader, ~reader->length) < 0)
        goto fail;
    reader->links[reader->links_count++] = link;
    return 1;
fail:
    drop_link(&link);
    return -1;
}

static int
start_link(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    const Tables *tables = reader->tables;
    TagSet links = {0, 0};
    int made;

    put_in(&links, tables->a);
    if (reader->link >= 0)
        end_within(reader, &links, &tables->cells);
    else if (reader->depth && !is_in(&tables->blocks, reader->stack[reader->depth - 1].id))
        end_within(reader, &links, &tables->blocks);
    if (open_element(reader, tag, id, token) < 0)
        return -1;
    made = new_link(reader, attribute_text(token, key_href), token);
    if (made > 0) {
        end_link(reader);
        reader->link = reader->links_count - 1;
        reader->link_depth = reader->depth;
        reader->position = tables->anchor;
    }
    return made < 0 ? -1 : 0;
}

/* What an image says beside a link. */
static int
add_alt(FoundLink *link, PyObject *token)
{
    int failed;
    PyObject *alt;

    if (link->alts == NULL && (link->alts = PyList_New(0)) == NULL)
        return -1;
    alt = attribute_text(token, key_alt);
    if (alt == NULL)
        return -1;
    failed = PyList_Append(link->alts, alt);
    Py_DECREF(alt);
    return failed;
}

/* Take a link that has no content. Takes `href` over. */
static int
point(Reader *reader, PyObject *href, PyObject *tag, int id, PyObject *token)
{
    int made;

    if (href == NULL || open_element(reader, tag, id, token) < 0) {
        Py_XDECREF(href);
        return -1;
    }
    made = new_link(reader, href, token);
    drop_element(&reader->stack[--reader->depth]);
    if (reader->depth < reader->fewest)
        reader->fewest = reader->depth;
    if (made > 0) {
        FoundLink *link = &reader->links[reader->links_count - 1];
        link->start = link->end = reader->length;
        return add_alt(link, token);
    }
    return made;
}

/* ---- what a page says of itself ---- */

/* Put a new value where none is yet. Takes it over. */
static int
keep_first(PyObject **held, PyObject *value)
{
    if (value == NULL)
        return -1;
    if (PyUnicode_GET_LENGTH(*held) == 0)
        Py_SETREF(*held, value);
    else
        Py_DECREF(value);
    return 0;
}

static int
start_html(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    if (keep_first(&reader->language, attribute_text(token, key_lang)) < 0
        || keep_first(&reader->language, attribute_text(token, key_xml_lang)) < 0)
        return -1;
    return start_block(reader, tag, id, token);
}

static int
base_address(Reader *reader, PyObject *token)
{
    PyObject *address, *href = attribute_text(token, key_href);
    if (href == NULL)
        return -1;
    address = stripped(href);
    Py_DECREF(href);
    return keep_first(&reader->base, address);
}

/* A pair of a Python function's answer. */
static int
is_pair(PyObject *pair)
{
    if (pair == NULL)
        return 0;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2 && PyUnicode_Check(PyTuple_GET_ITEM(pair, 1)))
        return 1;
    PyErr_SetString(PyExc_TypeError, "no pair that ends with a str");
    return 0;
}

static int
related(Reader *reader, PyObject *token)
{
    PyObject *pair = PyObject_CallOneArg(reader->tables->related_of, token); /* canonical address, feed */
    int failed = -1;
    if (is_pair(pair) && PyUnicode_Check(PyTuple_GET_ITEM(pair, 0)))
        failed = keep_first(&reader->canonical, Py_NewRef(PyTuple_GET_ITEM(pair, 0))) < 0
                 || keep_first(&reader->feed, Py_NewRef(PyTuple_GET_ITEM(pair, 1))) < 0;
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "no pair of str");
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

static int
meta(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    PyObject *pair = PyObject_CallOneArg(reader->tables->meta_of, token); /* words for robots, where a refresh leads */
    int failed = -1;
    if (is_pair(pair)) {
        PyObject *updated = PyObject_CallMethod(reader->robots, "update", "(O)", PyTuple_GET_ITEM(pair, 0));
        if (updated != NULL) {
            PyObject *href = PyTuple_GET_ITEM(pair, 1);
            Py_DECREF(updated);
            failed = PyUnicode_GET_LENGTH(href) ? point(reader, Py_NewRef(href), tag, id, token) : 0;
        }
    }
    Py_XDECREF(pair);
    return failed;
}

/* ---- tokens ---- */

/* Tell whether this start tag ends what is not read: HTML inside svg does. */
static int
ends_unread(Reader *reader, int id)
{
    const Tables *tables = reader->tables;
    if (reader->unread == tables->svg && is_in(&tables->blocks, id) && id != tables->title_tag)
        reader->unread = -1;
    else if (id == reader->unread)
        reader->unread_depth++;
    return reader->unread < 0;
}

/* An attribute of the token as a truth value; -1 for an error. */
static int
is_self_closing(PyObject *token)
{
    PyObject *value = PyObject_GetAttr(token, name_self_closing);
    int found = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return found;
}

static int
take_start(Reader *reader, PyObject *token, PyObject *tag)
{
    const Tables *tables = reader->tables;
    int id = id_of(tables, tag), action;

    if (id == -2)
        return -1;
    action = id < 0 ? OPEN : tables->tags[id].action;
    if (id < 0 || id == tables->svg) {
        int closing = is_self_closing(token);
        if (closing)
            return closing < 0 ? -1 : 0; /* empty; HTML knows others as start tags */
    }
    if (reader->unread >= 0 && !ends_unread(reader, id))
        return 0;
    switch (action) {
    case BLOCK:
        return start_block(reader, tag, id, token);
    case BREAK:
        reader->new_block = 1;
        return 0;
    case SKIP:
        return 0;
    case RANKED:
        if ((tables->tags[id].is_block ? start_block(reader, tag, id, token) : open_element(reader, tag, id, token)) < 0)
            return -1;
        if (tables->tags[id].position < reader->position)
            reader->position = tables->tags[id].position;
        reader->titles += id == tables->title_tag;
        return 0;
    case UNREAD:
        reader->unread = id;
        reader->unread_depth = 1;
        return 0;
    case HTML:
        return start_html(reader, tag, id, token);
    case LINK:
        return start_link(reader, tag, id, token);
    case AREA:
        return point(reader, attribute_text(token, key_href), tag, id, token);
    case IMAGE:
        return reader->link >= 0 ? add_alt(&reader->links[reader->link], token) : 0;
    case BASE_ADDRESS:
        return base_address(reader, token);
    case RELATED:
        return related(reader, token);
    case META:
        return meta(reader, tag, id, token);
    default:
        return open_element(reader, tag, id, token);
    }
}

static int
take_end(Reader *reader, PyObject *tag)
{
    const Tables *tables = reader->tables;
    int id = id_of(tables, tag);

    if (id == -2)
        return -1;
    if (reader->unread >= 0) {
        if (id == reader->unread && --reader->unread_depth == 0)
            reader->unread = -1;
        return 0;
    }
    if (is_in(&tables->blocks, id))
        reader->new_block = 1;
    if (reader->depth) {
        Element *top = &reader->stack[reader->depth - 1];
        if (top->id == id && (id >= 0 || PyUnicode_Compare(top->tag, tag) == 0)) {
            cut(reader, reader->depth - 1);
            return 0;
        }
        if (PyErr_Occurred())
            return -1;
    }
    return end_named(reader, tag, id, is_in(&tables->cells, id) ? &tables->tables : &tables->cells);
}

/* Note that from `start` to `end` the text stands at one position. */
static int
add_span(Reader *reader, Py_ssize_t start, Py_ssize_t end, int position)
{
    PyTypeObject *type = (PyTypeObject *)reader->tables->span_type;
    PyObject *span = type->tp_alloc(type, 3), *from, *to;
    int failed;

    if (span == NULL)
        return -1;
    from = PyLong_FromSsize_t(start);
    to = PyLong_FromSsize_t(end);
    PyTuple_SET_ITEM(span, 0, from);
    PyTuple_SET_ITEM(span, 1, to);
    PyTuple_SET_ITEM(span, 2, Py_NewRef(reader->tables->positions[position]));
    failed = from == NULL || to == NULL || PyList_Append(reader->spans, span) < 0;
    Py_DECREF(span);
    return failed ? -1 : 0;
}

/* `start`, `run`: since where block and position of the text are the same, and that position. */
static int
take_text(Reader *reader, PyObject *data, Py_ssize_t *start, int *run)
{
    const Tables *tables = reader->tables;
    int kind = PyUnicode_KIND(data), position = reader->position, failed, is_folded;
    const void *characters = PyUnicode_DATA(data);
    Py_ssize_t size = PyUnicode_GET_LENGTH(data), blanks = 0;
    PyObject *text;

    while (blanks < size && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, characters, blanks)))
        blanks++;
    if (size && blanks == size) {
        if (reader->blank < 0 && reader->unread < 0)
            reader->blank = position;
        return 0;
    }
    if (reader->unread >= 0)
        return 0;
    text = with_folded_blanks(data, &reader->folded, &reader->folded_room);
    if (text == NULL)
        return -1;
    is_folded = PyUnicode_GET_LENGTH(text) == size; /* so no blank stands at its ends */
    if (reader->length && reader->new_block) {
        if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
            goto fail;
        if (PyList_Append(reader->parts, tables->paragraph) < 0)
            goto fail;
        *start = ++reader->length;
    }
    else if (reader->length && (reader->blank >= 0 || (!is_folded && blanks))) {
        int blank = reader->blank >= 0 ? reader->blank : position; /* where the first of those stood */
        if (blank != *run) {
            if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
                goto fail;
            *start = reader->length;
            *run = blank;
        }
        if (PyList_Append(reader->parts, one_blank) < 0)
            goto fail;
        reader->length++;
    }
    if (position != *run) {
        if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
            goto fail;
        *start = reader->length;
        *run = position;
    }
    if (position == tables->title) {
        if (reader->titles == 1) {
            PyUnicode_Append(&reader->title, text);
            if (reader->title == NULL)
                goto fail;
        }
    }
    else if (position <= tables->title && reader->link >= 0 && reader->links[reader->link].start < 0)
        reader->links[reader->link].start = reader->length;
    if (add_node(reader, reader->length) < 0)
        goto fail;
    failed = PyList_Append(reader->parts, text);
    if (failed)
        goto fail;
    reader->length += PyUnicode_GET_LENGTH(text);
    Py_DECREF(text);
    reader->new_block = 0;
    reader->blank = !is_folded && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, characters, size - 1)) ? position : -1;
    return 0;
fail:
    Py_DECREF(text);
    return -1;
}

static int
take_tokens(Reader *reader, PyObject *tokens)
{
    const Tables *tables = reader->tables;
    Py_ssize_t start = 0;
    int run = tables->other;
    PyObject *token;

    while ((token = PyIter_Next(tokens)) != NULL) {
        int failed = 0;
        PyObject *kind = read_attribute(&tables->type_of, token), *value = NULL;
        if (kind == NULL)
            failed = -1;
        else if (kind == tables->text || kind == tables->start_tag || kind == tables->end_tag) {
            value = read_attribute(kind == tables->text ? &tables->data_of : &tables->tag_of, token);
            if (value == NULL)
                failed = -1;
            else if (!PyUnicode_Check(value)) {
                PyErr_SetString(PyExc_TypeError, "a token without its text");
                failed = -1;
            }
            else if (kind == tables->text)
                failed = take_text(reader, value, &start, &run);
            else if (kind == tables->start_tag)
                failed = take_start(reader, token, value);
            else
                failed = take_end(reader, value);
        }
        Py_XDECREF(value);
        Py_XDECREF(kind);
        Py_DECREF(token);
        if (failed)
            return -1;
    }
    if (PyErr_Occurred())
        return -1;
    if (start < reader->length && add_span(reader, start, reader->length, run) < 0)
        return -1;
    end_link(reader);
    return 0;
}

/* A link as html_extraction.FoundLink has it, without its type. */
static PyObject *
link_as_tuple(Reader *reader, FoundLink *link)
{
    PyObject *alt = NULL, *joined;

    if (link->start == link->end && link->alts != NULL) {
        joined = PyUnicode_Join(one_blank, link->alts);
        if (joined == NULL)
            return NULL;
        alt = with_folded_blanks(joined, &reader->folded, &reader->folded_room);
        Py_DECREF(joined);
    }
    else
        alt = Py_NewRef(empty);
    if (alt == NULL)
        return NULL;
    return Py_BuildValue("(OONnnOOn)", link->href, link->title, alt, link->start, link->end, link->path, link->rel,
                         link->node);
}

static PyObject *
result_of(Reader *reader)
{
    PyObject *text = NULL, *spans = NULL, *links = NULL, *nodes = NULL, *result = NULL;

    text = PyUnicode_Join(empty, reader->parts);
    spans = PyList_AsTuple(reader->spans);
    links = PyList_New(reader->links_count);
    nodes = PyTuple_New(reader->nodes_count);
    if (text == NULL || spans == NULL || links == NULL || nodes == NULL)
        goto end;
    for (Py_ssize_t i = 0; i < reader->links_count; i++) {
        PyObject *link = link_as_tuple(reader, &reader->links[i]);
        if (link == NULL)
            goto end;
        PyList_SET_ITEM(links, i, link);
    }
    for (Py_ssize_t i = 0; i < reader->nodes_count; i++) {
        PyObject *number = PyLong_FromSsize_t(reader->nodes[i]);
        if (number == NULL)
            goto end;
        PyTuple_SET_ITEM(nodes, i, number);
    }
    result = PyTuple_Pack(10, text, spans, links, nodes, reader->title, reader->language, reader->base,
                          reader->canonical, reader->feed, reader->robots);
end:
    Py_XDECREF(text);
    Py_XDECREF(spans);
    Py_XDECREF(links);
    Py_XDECREF(nodes);
    return result;
}

static const char TABLES[] = "ontocrawl.tables";

PyDoc_STRVAR(read_tokens_doc,
"read_tokens(tokens, tables)\n--\n\n"
"What html_extraction.Markup makes of a page's tokens, as the fields of html_extraction.Reading.");

static PyObject *
read_tokens(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tokens, *capsule, *result = NULL;
    Reader reader = {0};

    if (!PyArg_ParseTuple(args, "OO", &tokens, &capsule))
        return NULL;
    reader.tables = PyCapsule_GetPointer(capsule, TABLES);
    if (reader.tables == NULL)
        return NULL;
    tokens = PyObject_GetIter(tokens);
    if (tokens == NULL)
        return NULL;
    reader.position = reader.tables->other;
    reader.blank = reader.unread = -1;
    reader.link = -1;
    reader.parts = PyList_New(0);
    reader.spans = PyList_New(0);
    reader.robots = PySet_New(NULL);
    reader.title = Py_NewRef(empty);
    reader.language = Py_NewRef(empty);
    reader.base = Py_NewRef(empty);
    reader.canonical = Py_NewRef(empty);
    reader.feed = Py_NewRef(empty);
    if (reader.parts != NULL && reader.spans != NULL && reader.robots != NULL && take_tokens(&reader, tokens) == 0)
        result = result_of(&reader);
    Py_DECREF(tokens);
    while (reader.depth)
        drop_element(&reader.stack[--reader.depth]);
    for (Py_ssize_t i = 0; i < reader.links_count; i++)
        drop_link(&reader.links[i]);
    PyMem_Free(reader.stack);
    PyMem_Free(reader.links);
    PyMem_Free(reader.nodes);
    PyMem_Free(reader.folded);
    Py_XDECREF(reader.parts);
    Py_XDECREF(reader.spans);
    Py_XDECREF(reader.robots);
    Py_XDECREF(reader.title);
    Py_XDECREF(reader.language);
    Py_XDECREF(reader.base);
    Py_XDECREF(reader.canonical);
    Py_XDECREF(reader.feed);
    return result;
}

/* ---- the tables of html_extraction ---- */

static void
free_tables(PyObject *capsule)
{
    Tables *tables = PyCapsule_GetPointer(capsule, TABLES);
    if (tables == NULL)
        return;
    for (int i = 0; i < tables->positions_count; i++)
        Py_XDECREF(tables->positions[i]);
    Py_XDECREF(tables->type_of.descriptor);
    Py_XDECREF(tables->tag_of.descriptor);
    Py_XDECREF(tables->data_of.descriptor);
    Py_XDECREF(tables->names);
    Py_XDECREF(tables->text);
    Py_XDECREF(tables->start_tag);
    Py_XDECREF(tables->end_tag);
    Py_XDECREF(tables->span_type);
    Py_XDECREF(tables->rel_of);
    Py_XDECREF(tables->related_of);
    Py_XDECREF(tables->meta_of);
    Py_XDECREF(tables->paragraph);
    Py_XDECREF(tables->no_rels);
    PyMem_Free(tables);
}

/* The names of a set of tags, all of which are in the table. */
static int
read_set(const Tables *tables, PyObject *names, TagSet *set)
{
    PyObject *name, *iterator = PyObject_GetIter(names);
    if (iterator == NULL)
        return -1;
    while ((name = PyIter_Next(iterator)) != NULL) {
        int id = id_of(tables, name);
        Py_DECREF(name);
        if (id < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a set names a tag that is not in the table");
            break;
        }
        put_in(set, id);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : 0;
}

PyDoc_STRVAR(tables_doc,
"tables(rows, cells, tables, token_type, kinds, positions, ranks, span_type, asked, paragraph, bounds)\n--\n\n"
"What `read_tokens` needs, once. A row a tag: name, action, position, whether it is a block, which open elements it\n"
"ends, and which keep it from that. kinds: of tokens (text, start tag, end tag); ranks: of the positions anchor, title,\n"
"other; asked: functions of a `rel`, of <link>, of <meta>; bounds: most links, length of a path, reach, length of a\n"
"name, how many elements are deep.");

static PyObject *
make_tables(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *rows, *cells, *table, *positions, *capsule, *text, *start_tag, *end_tag, *span_type, *rel, *rl, *mt, *par;
    PyObject *token_type;
    Tables *tables = PyMem_Calloc(1, sizeof *tables);

    if (tables == NULL)
        return PyErr_NoMemory();
    capsule = PyCapsule_New(tables, TABLES, free_tables);
    if (capsule == NULL) {
        PyMem_Free(tables);
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!OOO!(OOO)O!(iii)O!(OOO)U(nnnnn)", &PyList_Type, &rows, &cells, &table, &PyType_Type,
                          &token_type, &text, &start_tag, &end_tag, &PyTuple_Type, &positions, &tables->anchor, &tables->title, &tables->other,
                          &PyType_Type, &span_type, &rel, &rl, &mt, &par, &tables->most_links, &tables->path_length,
                          &tables->reach, &tables->name_length, &tables->deep))
        goto fail;
    if (PyList_GET_SIZE(rows) > MOST_TAGS || PyTuple_GET_SIZE(positions) > MOST_POSITIONS
        || !PyType_IsSubtype((PyTypeObject *)span_type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_ValueError, "too many tags or positions, or a span that is no tuple");
        goto fail;
    }
    find_attribute(&tables->type_of, token_type, name_type);
    find_attribute(&tables->tag_of, token_type, name_tag);
    find_attribute(&tables->data_of, token_type, name_data);
    tables->text = Py_NewRef(text);
    tables->start_tag = Py_NewRef(start_tag);
    tables->end_tag = Py_NewRef(end_tag);
    tables->span_type = Py_NewRef(span_type);
    tables->rel_of = Py_NewRef(rel);
    tables->related_of = Py_NewRef(rl);
    tables->meta_of = Py_NewRef(mt);
    tables->paragraph = Py_NewRef(par);
    tables->positions_count = (int)PyTuple_GET_SIZE(positions);
    for (int i = 0; i < tables->positions_count; i++)
        tables->positions[i] = Py_NewRef(PyTuple_GET_ITEM(positions, i));
    for (int *rank = (int[]){tables->anchor, tables->title, tables->other, -1}; *rank != -1; rank++)
        if (*rank < 0 || *rank >= tables->positions_count) {
            PyErr_SetString(PyExc_ValueError, "no such position");
            goto fail;
        }
    tables->no_rels = PyFrozenSet_New(NULL);
    tables->names = PyDict_New();
    if (tables->no_rels == NULL || tables->names == NULL)
        goto fail;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        Tag *tag = &tables->tags[i];
        PyObject *name, *ended, *limits, *place = PyLong_FromSsize_t(i);
        int failed;
        if (place == NULL)
            goto fail;
        failed = !PyArg_ParseTuple(PyList_GET_ITEM(rows, i), "UiipOO", &name, &tag->action, &tag->position,
                                   &tag->is_block, &ended, &limits)
                 || PyDict_SetItem(tables->names, name, place) < 0;
        Py_DECREF(place);
        if (failed)
            goto fail;
        if (tag->action < 0 || tag->action >= ACTIONS || tag->position < 0 || tag->position >= tables->positions_count) {
            PyErr_SetString(PyExc_ValueError, "no such action or position");
            goto fail;
        }
        if (tag->is_block)
            put_in(&tables->blocks, (int)i);
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        PyObject *row = PyList_GET_ITEM(rows, i);
        if (read_set(tables, PyTuple_GET_ITEM(row, 4), &tables->tags[i].ended) < 0
            || read_set(tables, PyTuple_GET_ITEM(row, 5), &tables->tags[i].limits) < 0)
            goto fail;
    }
    if (read_set(tables, cells, &tables->cells) < 0 || read_set(tables, table, &tables->tables) < 0)
        goto fail;
    PyObject *known[] = {PyUnicode_FromString("a"), PyUnicode_FromString("svg"), key_title};
    tables->a = known[0] ? id_of(tables, known[0]) : -2;
    tables->svg = known[1] ? id_of(tables, known[1]) : -2;
    tables->title_tag = id_of(tables, known[2]);
    Py_XDECREF(known[0]);
    Py_XDECREF(known[1]);
    if (PyErr_Occurred())
        goto fail;
    if (tables->a < 0 || tables->svg < 0 || tables->title_tag < 0) {
        PyErr_SetString(PyExc_ValueError, "no row for a, svg or title");
        goto fail;
    }
    return capsule;
fail:
    Py_DECREF(capsule);
    return NULL;
}

/* ---- links: semantic/parsing/page_reader.py -------------------------------------------------------------------------- */

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

/* ---- what links say: semantic/links/link_reading.py -------------------------------------------------------------------- */

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

/* ---- rows of links: semantic/links/link_reading.py ----------------------------------------------------------------------- */

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

    if (!is_tuple_of(link, "tttnnttt?n") || !is_tuple_of(address, "tb(nt?") || !is_tuple_of(said, "(t")
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

/* ---- what addresses say: semantic/links/link_reading.py ------------------------------------------------------------- */

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

/* ---- rows of addresses: semantic/strategies/fused/waiting_addresses.py --------------------------------------------------- */

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

/* ---- hashed words of waiting addresses: semantic/strategies/fused/waiting_addresses.py ----------------------------------- */

#define TOGETHER 4 /* hashed words in a group, and one byte of their upper parts */
#define MOST_GROUPS 16

typedef struct {
    Py_buffer mask, start, low, high, rows;
    Py_ssize_t row_count, group_count, asked; /* rows and groups of the table; rows asked for */
} GroupTable;

static void
release_groups(GroupTable *table)
{
    PyBuffer_Release(&table->mask);
    PyBuffer_Release(&table->start);
    PyBuffer_Release(&table->low);
    PyBuffer_Release(&table->high);
    PyBuffer_Release(&table->rows);
}

/* Check the columns against each other, and that all rows are there; 0 if so, else the table is released. */
static int
check_groups(GroupTable *table, int groups)
{
    table->row_count = table->mask.len / 2;
    table->group_count = table->high.len;
    table->asked = table->rows.len / 4;
    if (groups < 1 || groups > MOST_GROUPS || table->start.len != 4 * table->row_count
        || table->low.len / (2 * TOGETHER) != table->group_count || (uintptr_t)table->mask.buf % 2
        || (uintptr_t)table->start.buf % 4 || (uintptr_t)table->low.buf % 2 || (uintptr_t)table->rows.buf % 4) {
        PyErr_SetString(PyExc_ValueError, "not a table of hashed words");
        release_groups(table);
        return -1;
    }
    for (Py_ssize_t i = 0; i < table->asked; i++) {
        int32_t row = ((const int32_t *)table->rows.buf)[i];
        if (row < 0 || row >= table->row_count) {
            PyErr_SetString(PyExc_IndexError, "no such row");
            release_groups(table);
            return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(read_groups_doc,
"read_groups(mask, start, low, high, rows, groups)\n--\n\n"
"The hashed words of rows (bytes of int32), `groups` times 4 of each.");

static PyObject *
read_groups(PyObject *Py_UNUSED(module), PyObject *args)
{
    GroupTable table;
    int groups;
    PyObject *result;
    uint32_t *found;

    if (!PyArg_ParseTuple(args, "y*y*y*y*y*i", &table.mask, &table.start, &table.low, &table.high, &table.rows, &groups)
        || check_groups(&table, groups) < 0)
        return NULL;
    result = PyByteArray_FromStringAndSize(NULL, table.asked * groups * TOGETHER * (Py_ssize_t)sizeof *found);
    found = result == NULL ? NULL : (uint32_t *)PyByteArray_AS_STRING(result);
    for (Py_ssize_t i = 0; result != NULL && i < table.asked; i++) {
        int32_t row = ((const int32_t *)table.rows.buf)[i];
        uint16_t mask = ((const uint16_t *)table.mask.buf)[row];
        Py_ssize_t at = (Py_ssize_t)((const uint32_t *)table.start.buf)[row];
        for (int group = 0; group < groups; group++, found += TOGETHER) {
            const uint16_t *low;
            uint32_t high;
            if (!(mask >> group & 1)) {
                memset(found, 0, TOGETHER * sizeof *found);
                continue;
            }
            if (at >= table.group_count) {
                PyErr_SetString(PyExc_IndexError, "no such group");
                Py_CLEAR(result);
                break;
            }
            low = (const uint16_t *)table.low.buf + TOGETHER * at;
            high = ((const uint8_t *)table.high.buf)[at++];
            for (int j = 0; j < TOGETHER; j++)
                found[j] = low[j] | (high >> (2 * j) & 3) << 16;
        }
        if (result == NULL)
            break;
    }
    release_groups(&table);
    return result;
}

/* Which of a row's groups have a word. */
static uint16_t
mask_of(const uint32_t *words, int groups)
{
    uint16_t mask = 0;

    for (int group = 0; group < groups; group++, words += TOGETHER)
        if (words[0] | words[1] | words[2] | words[3])
            mask |= (uint16_t)(1u << group);
    return mask;
}

static Py_ssize_t
bits_in(uint16_t mask)
{
    Py_ssize_t bits = 0;

    for (; mask; mask &= (uint16_t)(mask - 1))
        bits++;
    return bits;
}

PyDoc_STRVAR(write_groups_doc,
"write_groups(mask, start, low, high, rows, numbers, groups, used)\n--\n\n"
"Set the hashed words of distinct rows. New places are taken from `used` on. Returns how many are used then, and how\n"
"many groups no row refers to any more.");

static PyObject *
write_groups(PyObject *Py_UNUSED(module), PyObject *args)
{
    GroupTable table;
    Py_buffer numbers;
    int groups;
    Py_ssize_t used, left = 0;
    const uint32_t *words;

    if (!PyArg_ParseTuple(args, "w*w*w*w*y*y*in", &table.mask, &table.start, &table.low, &table.high, &table.rows,
                          &numbers, &groups, &used))
        return NULL;
    if (check_groups(&table, groups) < 0) {
        PyBuffer_Release(&numbers);
        return NULL;
    }
    words = numbers.buf;
    if (numbers.len / groups / TOGETHER / 4 != table.asked || numbers.len % 4 || (uintptr_t)words % 4 || used < 0)
        PyErr_SetString(PyExc_ValueError, "not as many words as the rows have room for");
    for (Py_ssize_t i = 0; i < table.asked && !PyErr_Occurred(); i++, words += TOGETHER * groups) {
        int32_t row = ((const int32_t *)table.rows.buf)[i];
        uint16_t *before = (uint16_t *)table.mask.buf + row, mask = mask_of(words, groups);
        uint32_t *start = (uint32_t *)table.start.buf + row;
        Py_ssize_t size = bits_in(mask), at = mask == *before ? (Py_ssize_t)*start : used;
        if (at > table.group_count - size || at > (Py_ssize_t)UINT32_MAX) {
            PyErr_SetString(PyExc_IndexError, "no room for these groups");
            break;
        }
        if (mask != *before) {
            left += bits_in(*before);
            *before = mask;
            *start = (uint32_t)used;
            used += size;
        }
        for (int group = 0; group < groups; group++) {
            const uint32_t *word = words + TOGETHER * group;
            unsigned high = 0;
            if (!(mask >> group & 1))
                continue;
            for (int j = 0; j < TOGETHER; j++) {
                ((uint16_t *)table.low.buf)[TOGETHER * at + j] = (uint16_t)(word[j] & 0xFFFF);
                high |= (word[j] >> 16 & 3) << (2 * j);
            }
            ((uint8_t *)table.high.buf)[at++] = (uint8_t)high;
        }
    }
    PyBuffer_Release(&numbers);
    release_groups(&table);
    return PyErr_Occurred() ? NULL : Py_BuildValue("nn", used, left);
}

/* ---- the module -------------------------------------------------------------------------------------------------------- */

/* A buffer's items, of `size` bytes each; NULL with an exception for another length. */
static const void *
items_of(Py_buffer *view, Py_ssize_t size, Py_ssize_t *number)
{
    if (view->len % size != 0) {
        PyErr_SetString(PyExc_ValueError, "a buffer does not consist of whole items");
        return NULL;
    }
    *number = view->len / size;
    return view->buf;
}

PyDoc_STRVAR(most_similar_doc,
"most_similar(tokens, slots, starts, pages, values, number, k)\n--\n\n"
"For each row of `slots` tokens (int32): the sums (float32) of the values of its tokens' postings by page, of the k\n"
"pages with the largest sums, then those pages (int32). Equal sums: the lower page first. Token t's postings are\n"
"pages[starts[t]:starts[t + 1]] (int32) and their values (float32, above 0). `number`: of pages, at least k.\n"
"Gives bytes: all sums, then all pages.");

static PyObject *
most_similar(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer views[4];
    Py_ssize_t slots, number, k, sizes[4], rows = 0, words = 0;
    const int32_t *tokens, *starts, *pages;
    const float *values;
    float *sums = NULL, *best_sums;
    int32_t *touched = NULL, *best_pages;
    PyObject *result = NULL;

    if (!PyArg_ParseTuple(args, "y*ny*y*y*nn", &views[0], &slots, &views[1], &views[2], &views[3], &number, &k))
        return NULL;
    tokens = items_of(&views[0], sizeof *tokens, &sizes[0]);
    starts = items_of(&views[1], sizeof *starts, &sizes[1]);
    pages = items_of(&views[2], sizeof *pages, &sizes[2]);
    values = items_of(&views[3], sizeof *values, &sizes[3]);
    if (tokens == NULL || starts == NULL || pages == NULL || values == NULL)
        goto done;
    if (slots < 1 || k < 1 || k > number || sizes[0] % slots != 0 || sizes[1] < 1 || sizes[2] != sizes[3]) {
        PyErr_SetString(PyExc_ValueError, "sizes do not fit each other");
        goto done;
    }
    words = sizes[1] - 1;
    rows = sizes[0] / slots;
    sums = PyMem_Calloc((size_t)number, sizeof *sums);
    touched = PyMem_Malloc((size_t)number * sizeof *touched);
    if (sums == NULL || touched == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    result = PyBytes_FromStringAndSize(NULL, rows * k * (Py_ssize_t)(sizeof *best_sums + sizeof *best_pages));
    if (result == NULL)
        goto done;
    best_sums = (float *)PyBytes_AS_STRING(result);
    best_pages = (int32_t *)(best_sums + rows * k);
    for (Py_ssize_t row = 0; row < rows; row++, tokens += slots, best_sums += k, best_pages += k) {
        Py_ssize_t met = 0, found = 0;
        for (Py_ssize_t slot = 0; slot < slots; slot++) {
            int32_t token = tokens[slot];
            if (token < 0 || token >= words || starts[token] < 0 || starts[token + 1] > sizes[2]) {
                PyErr_SetString(PyExc_IndexError, "no postings of such a token");
                Py_CLEAR(result);
                goto done;
            }
            for (int32_t at = starts[token]; at < starts[token + 1]; at++) {
                int32_t page = pages[at];
                if (page < 0 || page >= number || !(values[at] > 0)) {
                    PyErr_SetString(PyExc_IndexError, "no such page, or a value that is not above 0");
                    Py_CLEAR(result);
                    goto done;
                }
                if (sums[page] == 0)
                    touched[met++] = page;
                sums[page] += values[at];
            }
        }
        for (Py_ssize_t i = 0; i < met; i++) {
            int32_t page = touched[i];
            float sum = sums[page];
            Py_ssize_t place = found;
            if (found == k && (sum < best_sums[k - 1] || (sum == best_sums[k - 1] && page > best_pages[k - 1])))
                continue;
            if (found == k)
                place--;
            else
                found++;
            for (; place > 0; place--) {
                if (sum < best_sums[place - 1] || (sum == best_sums[place - 1] && page > best_pages[place - 1]))
                    break;
                best_sums[place] = best_sums[place - 1];
                best_pages[place] = best_pages[place - 1];
            }
            best_sums[place] = sum;
            best_pages[place] = page;
        }
        for (int32_t page = 0; found < k; page++)  /* pages without a common token, the lowest first */
            if (sums[page] == 0) {
                best_sums[found] = 0;
                best_pages[found++] = page;
            }
        for (Py_ssize_t i = 0; i < met; i++)
            sums[touched[i]] = 0;
    }
done:
    PyMem_Free(sums);
    PyMem_Free(touched);
    for (int i = 0; i < 4; i++)
        PyBuffer_Release(&views[i]);
    return result;
}

/* ---- the queue's entries: crawler/frontier/priority_queue.py ------------------------------------------------------- */

#define FOUND_BITS 36
#define DEPTH_BITS 20
#define REDIRECT_BITS 8

typedef struct {
    PyObject_HEAD
    double rank;
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
make_entry(double rank, long long found, long long depth, PyObject *url, PyObject *parent, long long redirects)
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
    entry->rank = rank;
    entry->numbers = ((uint64_t)found << DEPTH_BITS | (uint64_t)depth) << REDIRECT_BITS | (uint64_t)redirects;
    entry->url = Py_NewRef(url);
    entry->parent = Py_NewRef(parent);
    return entry;
}

static char *entry_fields[] = {"rank", "found", "depth", "url", "parent", "redirects", NULL};

static PyObject *
entry_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *named)
{
    double rank;
    long long found, depth, redirects;
    PyObject *url, *parent;

    if (!PyArg_ParseTupleAndKeywords(args, named, "dLLUUL:Entry", entry_fields, &rank, &found, &depth, &url, &parent,
                                     &redirects))
        return NULL;
    return (PyObject *)make_entry(rank, found, depth, url, parent, redirects);
}

PyDoc_STRVAR(entry_replace_doc,
"_replace(**fields)\n--\n\n"
"A copy of the entry with other values of some fields.");

static PyObject *
entry_replace(PyObject *self, PyObject *args, PyObject *named)
{
    const Entry *entry = (const Entry *)self;
    double rank = entry->rank;
    long long found = (long long)entry_found(entry), depth = (long long)entry_depth(entry);
    long long redirects = (long long)entry_redirects(entry);
    PyObject *url = entry->url, *parent = entry->parent;

    if (!PyArg_ParseTupleAndKeywords(args, named, "|$dLLUUL:_replace", entry_fields, &rank, &found, &depth, &url,
                                     &parent, &redirects))
        return NULL;
    return (PyObject *)make_entry(rank, found, depth, url, parent, redirects);
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

/* As tuples of the fields compare. */
static PyObject *
entry_compare(PyObject *self, PyObject *object, int asked)
{
    const Entry *one, *other;
    int order;

    if (!Py_IS_TYPE(self, &EntryType) || !Py_IS_TYPE(object, &EntryType))
        Py_RETURN_NOTIMPLEMENTED;
    one = (const Entry *)self;
    other = (const Entry *)object;
    if (one->rank != other->rank)
        order = one->rank < other->rank ? -1 : 1;
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
    PyObject *rank = PyFloat_FromDouble(entry->rank), *text;

    if (rank == NULL)
        return NULL;
    text = PyUnicode_FromFormat("Entry(rank=%R, found=%llu, depth=%llu, url=%R, parent=%R, redirects=%llu)", rank,
                                (unsigned long long)entry_found(entry), (unsigned long long)entry_depth(entry),
                                entry->url, entry->parent, (unsigned long long)entry_redirects(entry));
    Py_DECREF(rank);
    return text;
}

static PyMemberDef entry_members[] = {
    {"rank", T_DOUBLE, offsetof(Entry, rank), READONLY, NULL},
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

static PyMethodDef methods[] = {
    {"folded", folded, METH_VARARGS, folded_doc},
    {"weighed_numbers", weighed_numbers, METH_VARARGS, weighed_numbers_doc},
    {"features", features, METH_VARARGS, features_doc},
    {"text_below", text_below, METH_VARARGS, text_below_doc},
    {"small_words", small_words, METH_VARARGS, small_words_doc},
    {"read_tokens", read_tokens, METH_VARARGS, read_tokens_doc},
    {"tables", make_tables, METH_VARARGS, tables_doc},
    {"links_of", links_of, METH_VARARGS, links_of_doc},
    {"describe_links", describe_links, METH_VARARGS, describe_links_doc},
    {"link_rows", link_rows, METH_VARARGS, link_rows_doc},
    {"read_addresses", read_addresses, METH_VARARGS, read_addresses_doc},
    {"find_rows", find_rows, METH_VARARGS, find_rows_doc},
    {"put_rows", put_rows, METH_VARARGS, put_rows_doc},
    {"read_groups", read_groups, METH_VARARGS, read_groups_doc},
    {"write_groups", write_groups, METH_VARARGS, write_groups_doc},
    {"most_similar", most_similar, METH_VARARGS, most_similar_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "text_loops",
    .m_doc = "The loops of text handling, compiled.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC
PyInit_text_loops(void)
{
    const struct { PyObject **held; const char *text; } names[] = {
        {&name_type, "type"}, {&name_tag, "tag"}, {&name_data, "data"}, {&name_attr, "attr"},
        {&name_self_closing, "self_closing"}, {&key_id, "id"}, {&key_class, "class"}, {&key_title, "title"},
        {&key_rel, "rel"}, {&key_href, "href"}, {&key_alt, "alt"}, {&key_lang, "lang"}, {&key_xml_lang, "xml:lang"},
        {&empty, ""}, {&one_blank, " "}, {&slash, "/"},
    };
    PyObject *module;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((*names[i].held = PyUnicode_InternFromString(names[i].text)) == NULL)
            return NULL;
    make_crc_table();
    module = PyModule_Create(&definition);
    if (module != NULL
        && (PyModule_AddStringConstant(module, "SOURCE", SOURCE_DIGEST) < 0
            || PyModule_AddType(module, &EntryType) < 0 || PyModule_AddType(module, &EntriesType) < 0))
        Py_CLEAR(module);
    return module;
}
