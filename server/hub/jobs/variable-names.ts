/** Checks that a name is a valid variable on every system and shell. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
}

/** Checks for the variables that the sandbox sets itself; Windows ignores their case. */
export function isSetBySandbox(name: string): boolean {
  return /^(JOB_|WEBHOOK_|(ACCELERATOR|CPU_CORES|MEMORY)$)/i.test(name)
}
