import { sha256InTurns } from '../../turns/turns.ts';

/** A file that a client sent: a part of a form, or a body. `bytes` are a view of the body, because copying a large file takes long. */
export class UploadedFile {
  readonly bytes: Buffer<ArrayBuffer>;
  #sha256: Promise<Buffer> | undefined;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.bytes = bytes;
  }

  /** Of the bytes at the first call. */
  sha256(): Promise<Buffer> {
    this.#sha256 ??= sha256InTurns(this.bytes);
    return this.#sha256;
  }
}

/** The fields of a form, in the order of the body. */
export type UploadedForm = readonly (readonly [name: string, value: string | UploadedFile])[];
