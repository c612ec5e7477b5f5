/* Arrays that grow. */

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
