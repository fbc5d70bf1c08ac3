import "./language.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@fontsource-variable/inter";
import "./theme/theme.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { reloadForScripts } from "./reload.ts";

// The screen whose script is missing shows the error until the page is reloaded.
addEventListener("vite:preloadError", () => void reloadForScripts());

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
