export { toUtf8 } from "./encoding.ts";
export { createXmlEngine, type XmlEngine } from "./engine.ts";
export { escapeAttribute, escapeText } from "./escape.ts";
export type { XmlFailure, XmlProblem } from "./problem.ts";
export type { Schema } from "./schema.ts";
export { attributeList, element, many, mapped, type Shape, text, type ValueOf, wrapped } from "./shape.ts";
