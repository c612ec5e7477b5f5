"""What a report and the dashboard say, in English and in Chinese. What pages and reasons say stays as it was."""

import os
from collections.abc import Mapping
from types import MappingProxyType

from cli.inputs.concept_names import LOCALE
from ontology.errors import SettingsError

LANGUAGES = ("en", "zh")

TEXTS: Mapping[str, tuple[str, str]] = {
    "report": ("Report on a crawl", "抓取报告"),
    "of_topic": ("Topic", "主题"),
    "made_at": ("Made", "生成时间"),
    "contents": ("Contents", "目录"),
    "pages": ("pages", "页面"),
    "on_topic": ("on topic", "切题"),
    "harvest_rate": ("harvest rate", "收获率"),
    "waiting_links": ("links waiting", "等待的链接"),
    "concepts_seen": ("concepts seen", "出现的概念"),
    "hosts": ("hosts", "主机"),
    "hours": ("of crawling", "抓取用时"),
    # the curve
    "curve": ("Harvest, and what the queue had promised", "收获与队列的预期"),
    "curve_note": (
        "The dashed line is the mean place in the queue of the pages that were fetched: what the crawl expected of "
        "them. Where it stays above what came, links promise more than pages hold.",
        "虚线是所抓取页面在队列中的平均优先级，即爬虫对它们的预期。若它一直高于实际得到的相关度，说明链接的承诺多于页面的内容。",
    ),
    "order_wrong": (
        "Of all pairs of the last {pages} pages, {share} had the better page in the lower place (by chance: 50 %).",
        "在最近 {pages} 个页面的所有两两组合中，有 {share} 是较好的页面排在较低的位置（随机为 50 %）。",
    ),
    "harvest_so_far": ("harvest so far", "累计收获率"),
    "harvest_of_part": ("harvest at this point", "当前收获率"),
    "promised": ("promised: mean priority", "预期：平均优先级"),
    "came": ("came: mean relevance", "实际：平均相关度"),
    "share_on_topic": ("share on topic", "切题比例"),
    "priority_relevance": ("priority, relevance", "优先级与相关度"),
    "pages_per_s": ("pages/s", "页/秒"),
    "pages_fetched": ("pages fetched", "已抓取页面"),
    "this_crawl": ("this crawl", "本次抓取"),
    "other_crawl": ("the other crawl", "另一次抓取"),
    "no_page": ("No page was fetched yet.", "尚未抓取任何页面。"),
    # concepts
    "coverage": ("Coverage by concept", "各概念的覆盖情况"),
    "coverage_note": (
        "Each concept with those below it: pages that mention it, and how many of them are on topic.",
        "每个概念及其下位概念：提到它的页面数，以及其中切题的页面数。",
    ),
    "unfold_all": ("Unfold all", "全部展开"),
    "fold_all": ("Fold all", "全部折叠"),
    "only_lacking": ("Only what is missing or too general", "只看缺失或过于宽泛的"),
    "again": ("see above", "见上"),
    "below_lack": ("{n} below it never seen", "其下有 {n} 个从未出现"),
    "verdict_never seen": ("never seen", "从未出现"),
    "verdict_below only": ("only those below", "仅下位概念出现"),
    "verdict_too general": ("too general", "过于宽泛"),
    "verdict_no news": ("no news", "近期未见"),
    "verdict_few pages": ("few pages", "页面很少"),
    "verdict_leads": ("leads to the topic", "引向主题"),
    "verdict_good": ("good", "良好"),
    "meaning_never seen": (
        "no page mentions it: still to be found, or in need of another word",
        "没有页面提到它：尚待发现，或需要别的词",
    ),
    "meaning_too general": (
        "pages that mention it are hardly more often on topic than all pages",
        "提到它的页面并不比全部页面更常切题",
    ),
    "meaning_no news": ("none of the last tenth of the pages mentions it", "最近十分之一的页面都没有提到它"),
    "meaning_good": ("pages that mention it are on topic more often than others", "提到它的页面比其他页面更常切题"),
    "meaning_few pages": ("fewer than ten pages: too few to say more", "不足十页：太少，无法多说"),
    "meaning_below only": (
        "no page names it, but pages name what is below it",
        "没有页面直接提到它，但提到了其下位概念",
    ),
    "meaning_leads": ("a mark of pages that lead to the topic", "引向主题的页面的标志"),
    # cards
    "best_pages": ("Best pages", "最佳页面"),
    "best_note": (
        "Keep or reject what you see; the list below the cards can be pasted into a terminal. "
        "All pages are then judged again by it.",
        "请选择保留或排除；卡片下方的列表可以粘贴到终端执行，之后全部页面会据此重新判断。",
    ),
    "keep": ("keep", "保留"),
    "reject": ("reject", "排除"),
    "undecided": ("undecided", "未定"),
    "why": ("Why it counts", "判断依据"),
    "listing": ("a listing", "列表页"),
    "marked_good": ("marked good", "已标为好"),
    "your_marks": ("Your marks", "您的标记"),
    "nothing_marked": ("Nothing is marked yet.", "尚未标记。"),
    "copy_list": ("Copy", "复制"),
    "copied": ("Copied", "已复制"),
    "no_best": ("No page is on topic.", "没有切题的页面。"),
    # scale
    "scale": ("Relevance and the threshold", "相关度与阈值"),
    "scale_note": (
        "Move the slider to see how many pages another threshold would keep, and which pages lie at the border.",
        "移动滑块，查看其他阈值会保留多少页面，以及边界处是哪些页面。",
    ),
    "relevance": ("relevance", "相关度"),
    "threshold": ("threshold", "阈值"),
    "in_force": ("in force", "当前生效"),
    "would_be": ("pages would be on topic", "个页面切题"),
    "just_in": ("Just on topic", "刚好切题"),
    "just_out": ("Just off topic", "刚好不切题"),
    "to_change": ("To change it:", "更改方法："),
    "no_scale": (
        "This strategy does not judge by a threshold alone.",
        "该策略不单凭阈值判断。",
    ),
    # terms
    "terms": ("Candidate terms", "候选术语"),
    "terms_note": (
        "Terms that pages on topic say and the ontology lacks. To keep some: {command}",
        "切题页面使用而本体缺少的术语。保留方法：{command}",
    ),
    "term": ("term", "术语"),
    "proposed_as": ("proposed as", "建议作为"),
    "concept": ("concept", "概念"),
    "off_topic": ("off topic", "不切题"),
    "evidence": ("evidence", "例句"),
    "no_terms": ("None: {why}", "无：{why}"),
    "no_terms_left": ("the ontology has the words of these pages", "本体已包含这些页面的用词"),
    # sites
    "sites": ("Map of sites", "站点分布"),
    "sites_note": (
        "Area: pages fetched. Colour: share on topic, from dark (none) to light (all).",
        "面积：抓取的页面数。颜色：切题比例，由深（无）到浅（全部）。",
    ),
    "other_sites": ("{n} other hosts", "其他 {n} 个主机"),
    "host": ("host", "主机"),
    "share": ("share", "比例"),
    "waiting": ("waiting", "等待"),
    "in_vain": ("in vain", "无果"),
    "languages": ("Languages", "语言"),
    "language_unknown": ("not told", "未知"),
    # what went wrong
    "refused": ("What gave no page, and why", "未得到页面的地址及原因"),
    "reason": ("reason", "原因"),
    "addresses": ("addresses", "地址"),
    "for_instance": ("for instance", "例如"),
    "left_out": (
        "Besides, {n} addresses were left out by the strategy: no link to them promised anything.",
        "此外，策略略去了 {n} 个地址：指向它们的链接都没有希望。",
    ),
    "nothing_refused": ("Every address that was asked gave a page.", "请求过的地址都得到了页面。"),
    "status_refused": ("refused", "拒绝"),
    "status_failed": ("failed", "失败"),
    "traps": ("Traps", "陷阱"),
    "no_traps": ("Nothing was cut off.", "没有被截断的链接。"),
    "trap_links": ("links waiting behind it", "其后等待的链接"),
    # figures
    "figures": ("Figures and speed", "数据与速度"),
    "requests": ("requests", "请求"),
    "errors": ("errors", "错误"),
    "inversions": ("fetches that were not the best ready link", "并非最佳可用链接的抓取"),
    "copies": ("copies of pages under other addresses", "其他地址下的重复页面"),
    "seconds": ("seconds of crawling", "抓取秒数"),
    "strategy": ("strategy", "策略"),
    "begun": ("begun", "开始"),
    "settings": ("Settings and versions", "设置与版本"),
    "versions_note": (
        "Versions are those of the machine on which this report was made.",
        "版本为生成本报告的机器上的版本。",
    ),
    "store": ("store", "存储"),
    # comparison
    "against": ("Compared with the other crawl", "与另一次抓取的比较"),
    "both": ("on topic in both", "两者都切题"),
    "only_here": ("on topic in this crawl only", "仅在本次切题"),
    "only_there": ("on topic in the other crawl only", "仅在另一次切题"),
    "differs": ("Concepts whose pages on topic differ most", "切题页面数相差最大的概念"),
    "nothing_differs": ("no concept differs", "各概念没有差别"),
    # the dashboard
    "dashboard": ("A crawl that runs", "正在进行的抓取"),
    "connecting": ("connecting ...", "正在连接……"),
    "no_answer": (
        "No answer: the crawl has ended, or is busy judging all pages. This page tries again.",
        "没有应答：抓取已结束，或正在重新判断全部页面。本页会继续尝试。",
    ),
    "is_running": ("running", "正在运行"),
    "is_paused": ("paused: nothing more is asked for until you resume", "已暂停：继续之前不再请求"),
    "pause": ("Pause", "暂停"),
    "resume": ("Resume", "继续"),
    "stop": ("Stop", "停止"),
    "stop_sure": (
        "End the crawl? All is saved, and the same command goes on later.",
        "结束抓取吗？一切都会保存，以后用同一命令可继续。",
    ),
    "under_way": ("Being fetched, and why", "正在抓取的页面及原因"),
    "next": ("The best that waits:", "等待中最好的："),
    "queue_by_host": ("Queue by host", "各主机的队列"),
    "last_pages": ("Last pages, and why they count", "最近的页面及判断依据"),
    "raise_host": ("First", "优先"),
    "ban_host": ("Ban", "禁止"),
    "clear_host": ("As before", "恢复"),
    "banned": ("banned", "已禁止"),
    "raised": ("first", "已优先"),
    "good": ("good", "好"),
    "bad": ("bad", "坏"),
    "judge_anew": ("Judge anew by the marks", "按标记重新判断"),
    "judge_note": (
        "Marks are kept at once; all pages and links follow them when you judge anew, or with the next run.",
        "标记立即保存；重新判断时，或下次运行时，全部页面和链接随之调整。",
    ),
}


def texts(language: str) -> Mapping[str, str]:
    """All of them in one language."""
    rank = LANGUAGES.index(language)
    return MappingProxyType({name: both[rank] for name, both in TEXTS.items()})


def chosen_texts(asked: str | None) -> str:
    """The language that was asked for, else Chinese where the locale is, else English. Raises SettingsError."""
    if asked is None:
        here = next(filter(None, map(os.environ.get, LOCALE)), "")
        return "zh" if here.lower().startswith("zh") else "en"
    language = asked.lower().replace("_", "-").partition("-")[0]
    if language not in LANGUAGES:
        raise SettingsError(f"--lang {asked}: this is not told in that language", f"there are: {', '.join(LANGUAGES)}")
    return language


def page_language(named: str | None) -> str:
    """The same, where a language was named for something else: one that is not told here counts as none."""
    primary = (named or "").lower().partition("-")[0]
    return chosen_texts(primary if primary in LANGUAGES else None)
