import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useGo } from "../../scope.ts";
import { type Role, useMay } from "../../session.tsx";
import { type Field, FieldInput, initialValues, type Values } from "../fields.tsx";
import { Form } from "../form.tsx";
import { sentenceOf } from "../loading/problem.tsx";
import { useReason } from "./action-reasons.tsx";
import { notifyDone, notifyFailed } from "./notify.ts";

interface ActionButtonProps<Answer> {
  /** Text of the button: "Release order". */
  readonly verb: string;
  /** The text with its object, for screen readers, where a table has several such buttons: "Release order 4711". */
  readonly label?: string;
  /** Title of the dialog that asks before: names the object. Required for destructive actions, and if there are fields. */
  readonly title?: string;
  /** Effect of the action, in that dialog. */
  readonly text?: ReactNode;
  /** Inputs of the action, in the same dialog. */
  readonly fields?: readonly Field[];
  /** Runs the action with the field values by name. A thrown error is shown. */
  run(values: Values): Promise<Answer>;
  /** Success message: "Order 4711 was released.", or a text from the response. */
  readonly done?: string | ((answer: Answer) => string);
  /** The page that is opened then: that of what was created. */
  readonly opens?: (answer: Answer) => string;
  /** The minimum role; other users do not see the button. */
  readonly role?: Role;
  /** Developers of brands see the button too. */
  readonly isForDevelopers?: boolean;
  readonly isDestructive?: boolean;
  /** The most frequent action here. */
  readonly isPrimary?: boolean;
  /** Reason why the action is unavailable; the button is shown disabled. */
  readonly whyNot?: string | undefined;
  /** Query keys that are refreshed afterwards; default: all visible data. */
  readonly refresh?: readonly (readonly unknown[])[];
  readonly size?: "xs" | "sm";
}

/**
 * A button for one action on one object. It asks for confirmation if needed, reports the result, and refreshes the
 * data.
 */
export function ActionButton<Answer>(props: ActionButtonProps<Answer>) {
  const {
    verb,
    title,
    text,
    fields = [],
    role = "operator",
    isForDevelopers,
    isDestructive,
    isPrimary,
    whyNot,
    size = "sm",
  } = props;
  const [isOpen, setOpen] = useState(false);
  const mayDo = useMay(role, isForDevelopers);
  const action = useAction(props);
  useReason(verb, mayDo ? whyNot : undefined);
  if (!mayDo) return null;
  const asks = title !== undefined || fields.length > 0;
  const start = () => {
    if (asks) setOpen(true);
    else action.mutate({}, { onError: (error) => notifyFailed(`${verb}: refused`, error) });
  };
  return (
    <>
      <Button
        size={size === "xs" ? "compact-sm" : "xs"}
        variant={isPrimary ? "filled" : "default"}
        {...(isDestructive && whyNot === undefined ? { c: "var(--tone-failed)" } : {})}
        loading={action.isPending && !isOpen}
        disabled={whyNot !== undefined}
        title={whyNot}
        aria-label={props.label}
        onClick={start}
      >
        {verb}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title ?? verb}>
        {isOpen ? (
          <Ask
            verb={verb}
            fields={fields}
            text={text}
            isDestructive={isDestructive === true}
            isBusy={action.isPending}
            error={action.error}
            close={() => setOpen(false)}
            submit={(values) => action.mutate(values, { onSuccess: () => setOpen(false) })}
          />
        ) : null}
      </Modal>
    </>
  );
}

function useAction<Answer>({ run, done, opens, refresh }: ActionButtonProps<Answer>) {
  const go = useGo();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => run(values),
    onSuccess: async (answer) => {
      if (done !== undefined) notifyDone(typeof done === "string" ? done : done(answer));
      if (opens !== undefined) go(opens(answer));
      if (refresh) for (const queryKey of refresh) await queries.invalidateQueries({ queryKey });
      else await queries.invalidateQueries();
    },
  });
}

/** Scrolls to the error, because the button is below all fields and the error above them. */
const intoView = (refusal: HTMLElement | null) => refusal?.scrollIntoView({ block: "nearest" });

interface AskProps {
  readonly verb: string;
  readonly text: ReactNode;
  readonly fields: readonly Field[];
  readonly isDestructive: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  close(): void;
  submit(values: Values): void;
}

function Ask({ verb, text, fields, isDestructive, isBusy, error, close, submit }: AskProps) {
  const [values, setValues] = useState<Values>(() => initialValues(fields));
  return (
    <Form submit={() => submit(values)}>
      <Stack gap="md">
        {text === undefined ? null : <Text component="div">{text}</Text>}
        {error === null ? null : (
          <Text key={sentenceOf(error)} ref={intoView} role="alert" c="var(--mantine-color-error)">
            {sentenceOf(error)}
          </Text>
        )}
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {isDestructive ? "Keep as it is" : "Cancel"}
          </Button>
          <Button type="submit" loading={isBusy} {...(isDestructive ? { color: "red.9" } : {})}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
