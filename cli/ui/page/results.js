tabs.results = { show() {} };
