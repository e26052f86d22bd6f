import { isSecretName } from '../../../core/mask.ts'

/** Finds the parameter of a webhook's URL that holds a secret. */
export function secretParameter(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return [...new URL(url).searchParams].find(
    ([name, value]) => value !== '' && isSecretName(name),
  )?.[0]
}
