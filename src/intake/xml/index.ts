export { escapeAttribute, escapeText } from "./escape.ts";
export { toUtf8 } from "./parse/encoding.ts";
export type { XmlFailure, XmlProblem } from "./problem.ts";
export { attributeList, element, type Form, many, mapped, type Shape, text, type ValueOf, wrapped } from "./shape.ts";
export { createXmlEngine, type XmlEngine } from "./validation/engine.ts";
export type { Readings } from "./validation/rewrite.ts";
export type { Schema } from "./validation/schema.ts";
