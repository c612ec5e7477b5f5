/* Similar pages: semantic/strategies/fused/link_learner.py. */

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
