/* The loops that run for every token, character or link of a page, in C.
 *
 * Each function does what a Python function of the project does, to the byte. That one says what and why, and runs where
 * these files were not compiled (semantic/compiled.py); tests compare both forms (tests/semantic/test_compiled.py).
 *
 * What comes in was written by strangers. So: every allocation is checked, every index is bounded by a length that was
 * asked here, sizes are checked before they are multiplied, and nothing recurses.
 *
 * Each part is named after the Python file that does the same. They are compiled as one, in this order, since some use what
 * stands in those before.
 *
 * Built by hatch_build.py; only the public C interface of CPython is used.
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

#include "growing_arrays.c"
#include "feature_hashing.c"
#include "fingerprint.c"
#include "text_pieces.c"
#include "own_blocks.c"
#include "html_extraction.c"
#include "page_reader.c"
#include "link_reading.c"

static PyMethodDef methods[] = {
    {"weighed_numbers", weighed_numbers, METH_VARARGS, weighed_numbers_doc},
    {"features", features, METH_VARARGS, features_doc},
    {"text_pieces", text_pieces, METH_VARARGS, text_pieces_doc},
    {"read_tokens", read_tokens, METH_VARARGS, read_tokens_doc},
    {"tables", make_tables, METH_VARARGS, tables_doc},
    {"links_of", links_of, METH_VARARGS, links_of_doc},
    {"describe_links", describe_links, METH_VARARGS, describe_links_doc},
    {"link_rows", link_rows, METH_VARARGS, link_rows_doc},
    {"read_addresses", read_addresses, METH_VARARGS, read_addresses_doc},
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
        {&name_self_closing, "self_closing"}, {&key_id, "id"}, {&key_class, "class"}, {&key_role, "role"}, {&key_title, "title"},
        {&key_rel, "rel"}, {&key_href, "href"}, {&key_alt, "alt"}, {&key_lang, "lang"}, {&key_xml_lang, "xml:lang"},
        {&key_hidden, "hidden"}, {&key_style, "style"}, {&key_open, "open"},
        {&empty, ""}, {&one_blank, " "}, {&slash, "/"},
    };
    PyObject *module;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((*names[i].held = PyUnicode_InternFromString(names[i].text)) == NULL)
            return NULL;
    make_crc_table();
    module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddStringConstant(module, "SOURCE", SOURCE_DIGEST) < 0)
        Py_CLEAR(module);
    return module;
}
