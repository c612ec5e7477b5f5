/* Runs of characters: semantic/parsing/fingerprint.py. */

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
