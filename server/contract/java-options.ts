/** System properties of Java programs, by name. */
export type JavaProperties = Readonly<Record<string, string>>

/**
 * Returns `JAVA_TOOL_OPTIONS`, which every Java virtual machine reads.
 * @param existing options of the user, which stay; a property of the same name is replaced
 */
export function javaToolOptions(existing: string | undefined, properties: JavaProperties): string {
  const own = Object.entries(properties).map(([name, value]) => quote(`-D${name}=${value}`))
  const kept = (existing?.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).filter((option) => {
    const [, name = ''] = /^-D([^=]+)=/.exec(option.replaceAll(/["']/g, '')) ?? []
    return !Object.hasOwn(properties, name)
  })
  return [...kept, ...own].join(' ')
}

/** The options are split at spaces outside quotes; there is no escape. */
function quote(option: string): string {
  if (!/[\s"']/.test(option)) return option
  return option.includes('"') ? `'${option}'` : `"${option}"`
}
