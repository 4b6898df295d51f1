// placeholder until the document below is written
export function describeService(publicUrl: string) {
  return { publicUrl }
}
