import assert from "node:assert/strict";
import { test } from "node:test";
import { renderMarkdown } from "#/docs-site/markdown.ts";
import { guides } from "#/docs-site/start-page.ts";
import { readGuide } from "#/kernel/shipped-files.ts";

const render = (text: string) => renderMarkdown(text, (target) => (target === "known.md" ? "/docs/known" : undefined));

test("headings, paragraphs over several lines, lists and code become what they are", () => {
  const html = render(
    "# A & b\n\nOne\ntwo.\n- first\n  goes on\n- second\n\n1. one\n2. two\n\n```sh\na < b\n\n# c\n```\n## End",
  );
  assert.equal(
    html,
    `<h1 id="a-b">A &amp; b</h1>
<p>One
two.</p>
<ul>
<li>first
goes on</li>
<li>second</li>
</ul>
<ol>
<li>one</li>
<li>two</li>
</ol>
<pre tabindex="0"><code>a &lt; b

# c</code></pre>
<h2 id="end">End</h2>`,
  );
});

test("a table keeps bars that are escaped within its cells", () => {
  const html = render("| A | B |\n|---|---|\n| `x` | a \\| b |");
  assert.match(html, /<thead><tr><th scope="col">A<\/th><th scope="col">B<\/th><\/tr><\/thead>/);
  assert.match(html, /<tr><td><code>x<\/code><\/td><td>a \| b<\/td><\/tr>/);
});

test("a line can have code, bold and links; a link without a target is plain text", () => {
  assert.equal(
    render("**a** `**b** <i>` [c](known.md) [d](other.md)"),
    `<p><strong>a</strong> <code>**b** &lt;i&gt;</code> <a href="/docs/known">c</a> d</p>`,
  );
  assert.equal(render("<!-- made\nby hand -->\n`[c](known.md)` stays"), "<p><code>[c](known.md)</code> stays</p>");
});

test("code may hold backticks between two of them, and a table without titles has no head", () => {
  assert.equal(render("a `` `x` `` and `y`"), "<p>a <code>`x`</code> and <code>y</code></p>");
  assert.doesNotMatch(render("| | |\n|---|---|\n| a | b |"), /<th/);
});

test("HTML of a guide is shown as text", () => {
  assert.equal(
    render("Name a <file>.\n\n<script>x</script>"),
    "<p>Name a &lt;file&gt;.</p>\n&lt;script&gt;x&lt;/script&gt;",
  );
});

test("no guide shows raw markup", () => {
  for (const { name, title } of guides) {
    const html = render(readGuide(name));
    const h1 = `>${title.replaceAll("'", "&#39;")}</h1>`;
    assert.ok(html.startsWith(`<h1 id="`) && html.includes(h1), name);
    const words = html.replace(/<pre[\s\S]*?<\/pre>|<code>.*?<\/code>/g, "").replace(/<[^>]+>/g, "");
    assert.doesNotMatch(words, /\*\*|`|\]\(|<!--|^\s*[|>]|^\s*[-*+] /m, name);
  }
});
