import "./language.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme/theme.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { reloadForScripts } from "./reload.ts";

// The screen that wanted the script says so itself, until the page is loaded anew.
addEventListener("vite:preloadError", () => void reloadForScripts());

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
