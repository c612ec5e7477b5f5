"""Error pages: what stands where a page should be, with status 200.

They say that there is no such page or that nothing was found, check the browser, or ask for a login, a password or
consent to cookies. Many repeat what was asked for, so they are full of the topic's words.

A page is one if a part of its title or its own heading is such a sign and nothing else, or if a short block of its own
part contains one. In both cases the own part has at most `SHORT` characters outside of links. So an article about error
404, which has a text, is none. The signs are our own lists, in Chinese and English.

Checked by eye: all that it found in the 51,000 pages of five archived webs (319 pages, 255 of them one login).
"""

import re

from semantic.parsing.page_outline import Outline

SHORT = 400  # characters, of which Han count twice; chosen, not measured
SENTENCE = 200  # characters, at most, of a block that is searched for a sign; chosen, not measured

# the whole of a title's part or of a heading
_NAMES = (
    # there is no such page
    r"(?:http |error |错误 ?)?404(?: error| not found| page not found| 错误| 页面不存在| 未找到)?",
    r"(?:oops\W*|sorry\W*)?(?:the )?(?:page|file|document|item|post|article|content)(?: you requested)?"
    r" (?:(?:was |is |could |can)?not (?:be )?found|not found|does not exist|no longer exists|unavailable)",
    r"not found|nothing found|no results(?: found)?|no such page|object not found",
    r"(?:抱歉|对不起|很抱歉)?\W*(?:您|你)?(?:要?(?:访问|查看|寻找|请求)的)?(?:页面|网页|文章|内容|帖子|网址|文件|頁面|網頁)"
    r"(?:不存在|未找到|没有找到|找不到|不見了|已被?删除|已失效|已不存在|找不到了|走丢了|不见了)了?",
    r"(?:找不到|未找到|没有找到|找不到此|無法找到)(?:该|此|相关|您要的|符合条件的)?(?:页面|网页|内容|結果|结果|文章|頁面|網頁)",
    # a check
    r"just a moment\W*|attention required\W*.*|one moment, please\W*|ddos-guard|access denied",
    r"(?:checking|verifying) (?:your browser|you are human|if the site connection is secure).*",
    r"security check(?: required)?|are you (?:a robot|human)\W*",
    r"(?:安全|人机|滑动|行为|身份)验证|访问验证|验证码|正在(?:检查|验证)您?的?浏览器.*|请稍候\W*",
    # a login, a password, consent
    r"(?:please )?(?:log ?in|sign ?in|log ?on)(?: required| to continue| to your account)?|login page|user login",
    r"(?:lost|forgot(?:ten)?) password\W*|(?:authorization|authentication) required",
    r"(?:请先?|用户|会员|需要|统一)?(?:登录|登入|登陆)(?:页面|系统|后查看)?",
    r"before you continue(?: to .*)?|(?:cookie|privacy) (?:consent|settings)|we value your privacy|cookies?设置",
)
# within a sentence
_SENTENCES = (
    r"\b(?:page|file|document|dataset|data set|article|post|topic|thread)\b[^.!?]{0,100}?"
    r"\b(?:was not|is not|cannot be|could not be|can't be|couldn't be|not) found\b",
    r"\b(?:page|file|document|dataset|data set|article|post|topic|thread)\b[^.!?]{0,60}"
    r"\b(?:does(?: not|n't)(?: appear to)? exist|no longer exists|has been (?:removed|deleted))\b",
    r"\bnothing (?:was )?found\b|\bno (?:posts|results|articles|pages) (?:were )?found\b",
    r"(?:页面|网页|文章|内容|帖子|网址|数据)\w{0,12}(?:不存在|未找到|找不到|没有找到|已被?删除|已失效)",
    r"\bchecking your browser\b|\bverify(?:ing)? (?:that )?you are (?:a )?human\b|\bunusual traffic from\b",
    r"\benable javascript and cookies to continue\b|\bddos protection by\b",
    r"请(?:完成|进行|通过)[^。]{0,12}验证|正在(?:检查|验证)您?的?浏览器",
    r"\byou (?:must|need to|have to) (?:be logged in|log ?in|sign ?in)\b|\bnot (?:currently )?logged ?in",
    r"\bplease (?:log|sign) ?in (?:to|with)\b|\bplease enter (?:your|the) [\w ]{0,20}(?:user ?name|password)\b",
    r"\b(?:page|post|content|article|site) is (?:password[- ])protected\b",
    r"(?:请先?|需要|您还没有|您尚未|尚未)(?:登录|登入|登陆)|(?:文章|内容|页面)(?:被|已|已被)加密|请输入(?:访问)?密码",
    r"\baccept (?:all )?cookies to (?:continue|proceed|view)\b|同意[^。]{0,20}cookies?[^。]{0,10}(?:后|才能)继续",
)
_NAME = re.compile(rf"\W*(?:{'|'.join(_NAMES)})\W*(?:[\w.:-]*/\S*)?", re.IGNORECASE)  # an address may follow
_SENTENCE = re.compile("|".join(_SENTENCES), re.IGNORECASE)


def error_sign(outline: Outline) -> str:
    """The words by which a page is an error page; "" if it is none."""
    name = next(filter(_NAME.fullmatch, outline.names), "")
    free = outline.sizes.free
    if not name and free[-1] > SHORT:
        return ""
    begin = outline.begin
    if name and not begin:  # the sign may stand in a block that is no heading
        begin = next(
            (block for block, text in enumerate(outline.blocks) if block and _NAME.fullmatch(text[:SENTENCE])), 0
        )
    if free[-1] - free[begin] > SHORT:
        return ""
    return name or _sentence(outline)


def _sentence(outline: Outline) -> str:
    """The first sentence of the own part, below its heading, that has a sign."""
    for block, text in enumerate(outline.blocks[outline.begin + 1 :], outline.begin + 1):
        if len(text) <= SENTENCE and not outline.is_linked(block, 0.5) and _SENTENCE.search(text):
            return text
    return ""
