import type { Scene } from './scene.ts'

/** How an event is made to happen, or why the sandbox cannot. */
export type Trigger =
  | { readonly how: string; readonly run: (scene: Scene) => Promise<unknown> }
  | { readonly why: string }

export const isPossible = (trigger: Trigger): trigger is Extract<Trigger, { readonly how: string }> => 'how' in trigger
