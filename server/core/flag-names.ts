/** `autoApprove` → `--auto-approve` */
export function flagName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** `autoApprove` → `HUB_SANDBOX_AUTO_APPROVE` */
export function environmentName(key: string): string {
  return `HUB_SANDBOX_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
