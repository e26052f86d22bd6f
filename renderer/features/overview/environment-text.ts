export type EnvironmentForm = 'shell' | 'dotenv' | 'json'

export function environmentText(
  environment: Readonly<Record<string, string>>,
  form: EnvironmentForm,
): string {
  if (form === 'json') return JSON.stringify(environment, null, 2)
  return Object.entries(environment)
    .map(([name, value]) =>
      form === 'shell' ? `export ${name}=${shellQuote(value)}` : `${name}=${dotenvQuote(value)}`,
    )
    .join('\n')
}

function shellQuote(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

function dotenvQuote(value: string): string {
  return /^[^\s#'"]*$/.test(value) ? value : JSON.stringify(value)
}
