import { encodeText } from '../../../core/encode-text.ts'
import { maskText } from '../../../core/mask.ts'
import type { Verdict } from '../verdict.ts'

/** Removes a secret from the texts of a verdict: a receiver may repeat it anywhere. */
export function concealSecret(verdict: Verdict, secret: string | undefined): Verdict {
  return {
    ...verdict,
    observed: concealIn(verdict.observed, secret),
    evidence: verdict.evidence.map((item) => ({ ...item, note: concealIn(item.note, secret) })),
  }
}

/** Removes a secret and everything that looks like one from a text. */
export function concealIn(text: string, secret: string | undefined): string {
  if (secret === undefined || secret === '') return maskText(text)
  const forms = [secret, encodeText(secret), JSON.stringify(secret).slice(1, -1)]
  return maskText(forms.reduce((rest, form) => rest.replaceAll(form, '***'), text))
}
