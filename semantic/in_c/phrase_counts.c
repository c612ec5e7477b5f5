/* Runs of words on pages: semantic/candidates/phrase_counts.py. */

#define RUN_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define LONGEST_RUN 5 /* phrase_counts.LONGEST */

static inline uint64_t
run_hash(uint64_t number)
{
    number = (number + 1) * RUN_FACTOR;
    number ^= number >> 29;
    return number * RUN_FACTOR | 1;
}

PyDoc_STRVAR(phrases_on_doc,
"phrases_on(stream, ends, hashes)\n--\n\n"
"Which of the phrases with these hashes (uint64, ascending, each once) stand on each page. `stream`: the words of all\n"
"pages (int32, 0 for a gap); `ends`: where each page ends there (int64, ascending). Gives bytes: for each phrase on each\n"
"page, once, the number of the page x the number of phrases + the number of the phrase (int64), by page.");

static PyObject *
phrases_on(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer views[3];
    Py_ssize_t size, pages, count, room = 0, made = 0, at = 0;
    const int32_t *stream;
    const int64_t *ends;
    const uint64_t *hashes;
    int32_t *begins = NULL, *last = NULL; /* of each value of the first bits the first phrase; of each phrase the last page */
    int64_t *found = NULL;
    PyObject *result = NULL;
    int bits = 1;

    if (!PyArg_ParseTuple(args, "y*y*y*", &views[0], &views[1], &views[2]))
        return NULL;
    stream = items_of(&views[0], sizeof *stream, &size);
    ends = items_of(&views[1], sizeof *ends, &pages);
    hashes = items_of(&views[2], sizeof *hashes, &count);
    if (stream == NULL || ends == NULL || hashes == NULL)
        goto done;
    if (count > INT32_MAX / 2 || pages > INT32_MAX - 1) {
        PyErr_SetString(PyExc_OverflowError, "too many phrases or pages");
        goto done;
    }
    while ((Py_ssize_t)1 << bits < count)
        bits++;
    begins = PyMem_Calloc(((size_t)1 << bits) + 1, sizeof *begins);
    last = PyMem_Calloc((size_t)count + 1, sizeof *last);
    if (begins == NULL || last == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        begins[(hashes[i] >> (64 - bits)) + 1]++;
    for (Py_ssize_t i = 0; i < (Py_ssize_t)1 << bits; i++)
        begins[i + 1] += begins[i];
    for (Py_ssize_t page = 0; page < pages; page++) {
        if (ends[page] < at || ends[page] > size) {
            PyErr_SetString(PyExc_IndexError, "a page ends outside of the stream");
            goto done;
        }
        for (; at < ends[page]; at++) {
            uint64_t hash = 0;
            for (Py_ssize_t end = at; end < size && end - at < LONGEST_RUN && stream[end] != 0; end++) {
                uint64_t word = (uint64_t)(int64_t)stream[end];
                hash = run_hash(end == at ? word : hash * RUN_FACTOR + word);
                int32_t row = begins[hash >> (64 - bits)], stop = begins[(hash >> (64 - bits)) + 1];
                while (row < stop && hashes[row] != hash)
                    row++;
                if (row == stop || last[row] == page + 1)
                    continue;
                last[row] = (int32_t)page + 1;
                if (make_room((void **)&found, &room, made + 1, sizeof *found) < 0)
                    goto done;
                found[made++] = (int64_t)page * count + row;
            }
        }
    }
    result = PyBytes_FromStringAndSize((char *)found, made * (Py_ssize_t)sizeof *found);
done:
    PyMem_Free(begins);
    PyMem_Free(last);
    PyMem_Free(found);
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&views[i]);
    return result;
}
