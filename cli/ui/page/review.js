tabs.review = { show() {} };
