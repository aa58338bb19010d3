/** The worker of this process, which settles due rows. It needs core's workflows, so it says itself how it is woken. */
export const worker = { wake: (): void => undefined }
