import { encodeText } from '../../../core/encode-text.ts'
import { maskText } from '../../../core/mask.ts'

/** Removes a secret and everything that looks like one from a text. */
export function concealIn(text: string, secret: string | undefined): string {
  if (secret === undefined || secret === '') return maskText(text)
  const forms = [secret, encodeText(secret), JSON.stringify(secret).slice(1, -1)]
  return maskText(forms.reduce((rest, form) => rest.replaceAll(form, '***'), text))
}
