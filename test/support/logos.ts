/** The form that uploads a logo. It needs no test framework: the screenshots use it too. */
export function logoForm(content: Uint8Array): FormData {
  const form = new FormData();
  form.append('logo', new Blob([new Uint8Array(content)]), 'logo.png');
  return form;
}
