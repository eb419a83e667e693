/** Mail to administrators. */

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export interface MailServer {
  /** Hands the mail to the server that delivers it. Throws ProviderError. */
  send(mail: Mail): Promise<void>;
}
