import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Smaller ones gain nothing that a client would notice. */
const compressedBytesMin = 1024;

/** Beside each text a `.br` and a `.gz`, so that nothing is compressed while it is served. */
const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  writeBundle({ dir }) {
    for (const name of readdirSync(dir as string, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:js|css|svg)$/.test(name)) continue;
      const file = path.join(dir as string, name);
      const bytes = readFileSync(file);
      if (bytes.length < compressedBytesMin) continue;
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

const styleSheet = /^ *<link rel="stylesheet"[^>]*>\n/gm;
const rootLine = /^ *<div id="root">/m;

/**
 * Style sheets between the outline of the frame and the root. In the head they would delay the painting of the outline;
 * after the root they would override the variables that the component library writes there.
 */
const outlineFirst: Plugin = {
  name: "outline-first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(page) {
      const sheets = page.match(styleSheet) ?? [];
      return page.replace(styleSheet, "").replace(rootLine, (line) => sheets.join("") + line);
    },
  },
};

// The one default export of the repository: Vite looks for it.
export default defineConfig({
  root,
  base: "/console/",
  plugins: [outlineFirst, precompress],
  build: {
    outDir: process.env.CROSSDOCK_CONSOLE_OUT ?? path.join(root, "dist"),
    emptyOutDir: true,
    target: "es2023",
    manifest: true,
    // One sheet: a sheet loaded with a screen would come before the first ones, which are in the body, and lose to them.
    cssCodeSplit: false,
    // No inline data in the pages: every asset is a file that the policy knows.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    // The libraries mark what belongs to the client for servers that render pages; there is none here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { "/v1": process.env.CROSSDOCK_URL ?? "http://127.0.0.1:8080" } },
});
