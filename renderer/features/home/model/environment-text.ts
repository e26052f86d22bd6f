import { dotenvLine } from '../../../../server/contract/dotenv.ts'
import { shellWord } from '../../../lib/shell-quote.ts'

export type EnvironmentForm = 'shell' | 'dotenv' | 'json'

export function environmentText(
  environment: Readonly<Record<string, string>>,
  form: EnvironmentForm,
): string {
  if (form === 'json') return JSON.stringify(environment, null, 2)
  return Object.entries(environment)
    .map(([name, value]) =>
      form === 'shell' ? `export ${name}=${shellWord(value)}` : dotenvLine(name, value),
    )
    .join('\n')
}
