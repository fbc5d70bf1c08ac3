/**
 * Stands in `console/dist/index.html` where the nonce of the answer belongs. Everything else below `console/dist` is served
 * as it is; this one file is answered with a fresh nonce each time, uncached.
 */
export const styleNoncePlaceholder = "__STYLE_NONCE__";

/**
 * The console's Content-Security-Policy. Scripts come from files only. The component library writes a few `style` elements
 * while it runs, which carry the nonce; what it sets on single elements goes through the object model, which no policy
 * concerns: so neither needs 'unsafe-inline'.
 * @param nonce at least 128 random bits as base64, fresh for each answer of `index.html`
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Drawings within the library's style sheet, and documents that were fetched.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
