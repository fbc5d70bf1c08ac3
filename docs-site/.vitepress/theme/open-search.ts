import { onMounted } from "vue";

/** The name under which VitePress keeps what the reader has searched for. */
const storedAs = "vitepress:local-search-filter";

/** Opens the search of the site. @param words fill its field */
export function openSearch(words: string): void {
  try {
    sessionStorage.setItem(storedAs, words);
  } catch {
    // A browser without storage opens the search with an empty field.
  }
  document.querySelector<HTMLElement>("#local-search button")?.click();
}

/** The API reference has no search of its own: it leads to `/docs?search`. */
export function openSearchIfAsked(): void {
  onMounted(() => {
    if (new URLSearchParams(location.search).has("search")) openSearch("");
  });
}
