export function build(): void
export function isBuilt(): boolean
