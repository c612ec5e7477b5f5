tabs.ontology = { show() {} };
