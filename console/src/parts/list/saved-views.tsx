import { ActionIcon, Button, Menu, Modal, Stack, Switch, TextInput, Tooltip } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { withScope } from "../../scope.ts";
import { useMay } from "../../session.tsx";
import { notifyDone, notifyFailed } from "../actions/notify.ts";
import { Form, Refusal } from "../form.tsx";
import { IconBookmark, IconTrash } from "../icons.tsx";
import { sentenceOf } from "../loading/problem.tsx";
import type { Filter } from "./list-types.ts";
import styles from "./saved-views.module.css";

interface SavedViewsProps {
  /** The list of the views. */
  readonly screen: string;
  readonly filters: readonly Filter[];
}

/** Named filters and sort orders: the user's own, and shared ones. */
export function SavedViews({ screen, filters }: SavedViewsProps) {
  const [isSaving, setSaving] = useState(false);
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const key = ["views", screen];
  const load = (signal: AbortSignal) => api.GET("/view/list", { params: { query: { screen } }, signal });
  const { data, error } = useData(key, load);
  const query = queryOf(params, filters);
  // If they cannot be loaded, the list still works.
  if (error) return null;
  const remove = async (viewId: string, name: string) => {
    try {
      await api.DELETE("/view/delete/{viewId}", { params: { path: { viewId } } });
      notifyDone(`The view ${name} was deleted.`);
      await queries.invalidateQueries({ queryKey: key });
    } catch (refusal) {
      notifyFailed("The view was not deleted", refusal);
    }
  };
  const views = data?.items ?? [];
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Tooltip label="Saved views">
            <ActionIcon variant="default" size={30} aria-label="Saved views">
              <IconBookmark size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 ? <Menu.Label>No view of this list is saved yet</Menu.Label> : null}
          {views.map(({ viewId, name, query: saved, isOwn, userName }) => (
            <div key={viewId} className={styles.line} role="none">
              <Menu.Item onClick={() => void navigate(withScope(`?${saved}`, params))}>
                {name}
                {isOwn ? null : <span className={styles.owner}>{userName}</span>}
              </Menu.Item>
              {isOwn ? (
                <Menu.Item
                  className={styles.delete ?? ""}
                  aria-label={`Delete view ${name}`}
                  onClick={() => void remove(viewId, name)}
                >
                  <IconTrash size={14} />
                </Menu.Item>
              ) : null}
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={query === ""} onClick={() => setSaving(true)}>
            Save filters and sorting
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isSaving} onClose={() => setSaving(false)} title="Save this view">
        <SaveForm
          screen={screen}
          query={query}
          close={() => {
            setSaving(false);
            void queries.invalidateQueries({ queryKey: key });
          }}
        />
      </Modal>
    </>
  );
}

/** The list's part of the URL: its filters and sort order, without the filters of the top bar. */
function queryOf(params: URLSearchParams, filters: readonly Filter[]): string {
  const query = new URLSearchParams();
  for (const name of [...filters.map(({ key }) => key), "sort"]) {
    const value = params.get(name);
    if (value !== null && value !== "") query.set(name, value);
  }
  return query.toString();
}

interface SaveFormProps {
  readonly screen: string;
  readonly query: string;
  close(): void;
}

function SaveForm({ screen, query, close }: SaveFormProps) {
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const [fault, setFault] = useState("");
  const mayShare = useMay("operator");
  const save = async () => {
    try {
      await api.POST("/view/save", { body: { screen, query, isShared, name: name.trim() } });
      notifyDone(`The view ${name.trim()} was saved.`);
      close();
    } catch (error) {
      setFault(sentenceOf(error));
    }
  };
  return (
    <Form submit={() => void save()}>
      <Stack>
        <TextInput
          label="Name"
          description="An existing view of yours with this name is replaced."
          required
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {mayShare ? (
          <Switch
            label="Visible to all users"
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        ) : null}
        <Refusal text={fault} />
        <Button type="submit">Save view</Button>
      </Stack>
    </Form>
  );
}
