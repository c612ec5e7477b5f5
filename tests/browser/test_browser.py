"""The browser of these tests itself: Chinese is drawn, and nothing leaves this machine."""

from browser_fixtures import PHONE

WIDTHS = """
(signs) => signs.map(sign => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "40px sans-serif";
  pen.fillText(sign, 5, 45);
  return Array.from(pen.getImageData(0, 0, 60, 60).data).join("");
})
"""


def test_chinese_signs_are_drawn_and_differ(opened, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<!DOCTYPE html><title>茶</title>", encoding="utf-8")
    drawn = opened(file).page.evaluate(WIDTHS, ["绿", "茶", "湯"])
    assert len(set(drawn)) == 3  # without a font each is the same empty box


def test_what_lies_elsewhere_is_not_reached_but_noted(opened, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<!DOCTYPE html><img src='http://elsewhere.example/x.png'>", encoding="utf-8")
    assert opened(file).outside == ["http://elsewhere.example/x.png"]


def test_a_phone_sees_what_is_too_wide(opened, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<!DOCTYPE html><body style='margin:0'><div style='width:500px'>x</div>", encoding="utf-8")
    assert opened(file, size=PHONE).spills == 500 - PHONE[0]
