import assert from "node:assert/strict";
import { test } from "node:test";
import { withContents } from "#/docs-site/contents.ts";
import { renderMarkdown } from "#/docs-site/markdown.ts";

const render = (text: string) => renderMarkdown(text, () => "/docs/known");

test("a page of four parts lists them where its introduction ends", () => {
  const html = withContents(
    render(
      "# Title\n\nIntroduction.\n\n## One & `two`\n\n### Below\n\n## [Three](known.md)\n\n## Four\n\n## Five\n\nEnd.",
    ),
  );
  assert.ok(
    html.startsWith(`<h1 id="title">Title</h1>
<p>Introduction.</p>
<nav aria-label="On this page"><ul class="contents">
<li><a href="#one-two">One &amp; <code>two</code></a></li>
<li><a href="#three">Three</a></li>
<li><a href="#four">Four</a></li>
<li><a href="#five">Five</a></li>
</ul></nav>
<h2 id="one-two">`),
    html,
  );
});

test("a short page has no contents, and a heading within code is not one", () => {
  const short = render("# Title\n\n## One\n\n## Two\n\n## Three\n\n```\n## Four\n```");
  assert.equal(withContents(short), short);
});
