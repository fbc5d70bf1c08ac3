/**
 * Placeholder for the nonce of the response in `console/dist/index.html`. That file is sent uncached with a fresh nonce
 * each time. All other files below `console/dist` are sent unchanged.
 */
export const styleNoncePlaceholder = "__STYLE_NONCE__";

/**
 * The console's Content-Security-Policy. Scripts load from files only. The component library creates a few `style`
 * elements at run time, which carry the nonce. It sets styles of single elements through the DOM, to which no policy
 * applies. So neither needs 'unsafe-inline'.
 * @param nonce at least 128 random bits as base64, fresh for each response of `index.html`
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Images in the library's style sheet, and documents loaded by fetch.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
