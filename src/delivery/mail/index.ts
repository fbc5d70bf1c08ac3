export { type Mailer, startMailer } from "#/delivery/mail/mailer.ts";
export { type AlertSubject, type IncidentFacts, isAddress, oneLine } from "#/delivery/mail/note.ts";
export { noteIncident } from "#/delivery/mail/notes.ts";
export { mailStatuses, purgeMails } from "#/delivery/mail/repository.ts";
export { isMailMissing, mailMissing, sendMailOnce } from "#/delivery/mail/transport.ts";
