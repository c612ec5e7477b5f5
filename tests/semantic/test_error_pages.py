"""Error pages with status 200: each by a sign in its name or text, and none of the pages about such errors."""

import pytest

from semantic.parsing.page_kind import kind_and_sign, kind_of
from semantic.parsing.page_reader import read_page

TEA = "Green tea is picked in spring, steamed or fired in a pan, and drunk within a year. "
MENU = "".join(f'<a href="/tea/{number}">Green tea of garden {number}</a> ' for number in range(15))


def page(title: str, body: str):
    return read_page(f"<title>{title}</title><body>{body}</body>".encode(), "http://tea.example/old", {})


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Page not found - Tea", "<h1>Page not found</h1><p>Sorry, /old/green-tea.html does not exist any more.</p>"),
        ("404 Not Found", "<h1>Not Found</h1><p>The requested URL was not found on this server.</p>"),
        ("Tea", '<p>I\'m sorry, the dataset "green tea" does not appear to exist.</p>'),
        ("green tea - Tea search", "<h1>Search</h1><p>No results were found for green tea.</p>"),
        ("绿茶网", "<h1>绿茶网</h1><p>抱歉，您访问的页面不存在。</p>"),
        ("页面不存在 - 绿茶网", "<p>三秒后回到首页</p>"),
        ("Just a moment...", "<p>Checking your browser before accessing tea.example.</p>"),
        ("安全验证", "<p>请完成下方验证后继续访问</p>"),
        ("Log In ‹ Tea — WordPress", "<p>Username or Email Address</p><p>Password</p>"),
        ("茶友论坛", "<h1>提示信息</h1><p>您还没有登录，请先登录后再查看绿茶版块</p>"),
        ("绿茶笔记", "<h1>绿茶笔记</h1><p>该文章被加密了，请联系管理员请求密码。</p>"),
        ("Tea", "<p>Please accept all cookies to continue reading about green tea.</p>"),
    ],
)
def test_what_stands_for_a_page_is_an_error_page(title, body):
    kind, sign = kind_and_sign(page(title, body))
    assert kind == "error"
    assert sign


def test_a_template_around_it_does_not_hide_it():
    side = f"<div>{MENU}</div><div class='side'><h2>About tea</h2><p>{TEA * 10}</p></div>"
    assert kind_of(page("Page not found - Tea", f"{side}<h1>Page not found</h1><p>Sorry.</p>")) == "error"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("404", f"<h1>404</h1><p>{TEA * 10}</p>"),
        ("How to mend “page not found” - Tea", f"<h1>How to mend “page not found”</h1><p>{TEA}</p>"),
        ("Login screens of tea shops", "<p>They are green.</p>"),
        ("Tea", f"<p>The page that I had linked to was not found, and so I tell it again. {TEA * 6}</p>"),
        ("登录页面的设计", "<p>绿色。</p>"),
        ("标签: 验证码", '<h2>验证码</h2><ul><li><a href="/1">识别验证码</a></li></ul>'),
        ("Tea", '<p>Green tea.</p><a href="/login">Please log in to comment, or you must be logged in</a>'),
    ],
)
def test_what_is_about_errors_is_no_error_page(title, body):
    assert kind_of(page(title, body)) != "error"
