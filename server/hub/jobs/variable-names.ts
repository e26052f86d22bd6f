/** A name that every system and shell takes for a variable. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
}

/** Names that tell a job's process what it is run for. Windows knows no case in them. */
export function isSetBySandbox(name: string): boolean {
  return /^(JOB_|WEBHOOK_|(ACCELERATOR|CPU_CORES|MEMORY)$)/i.test(name)
}
