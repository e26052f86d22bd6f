const hidden = '***'

/** Masks the documented `secret` parameter and the password in a URL or in a relative reference (`Location`). */
export function maskUrl(text: string): string {
  if (!/[@?]/.test(text)) return text
  // As text: serializing the parsed URL would change the other parameters.
  const masked = text.replaceAll(/(?<=[?&])[^?&#]+/g, (pair) =>
    new URLSearchParams(pair).has('secret') ? `secret=${hidden}` : pair,
  )
  if (!URL.canParse(masked)) return masked
  const url = new URL(masked)
  if (url.password === '') return masked
  url.password = hidden
  return url.href
}
