import { Group } from "@mantine/core";
import { linkTo } from "../links.ts";
import { codeWithWord, inboundWords } from "./feed-words.ts";
import { Go } from "./go.tsx";
import { Id } from "./id.tsx";

/** The document that created an object, by its type; its token is small beside the name. */
export function FeedName({ type, token }: { readonly type: string; readonly token: string }) {
  return (
    <Group gap="0 8px">
      <Go to={linkTo("feed", "", token)}>{codeWithWord(inboundWords, type)}</Go>
      <Id text={token} length={13} isSmall />
    </Group>
  );
}
