/** The powers that a frame with a published map needs: the whole screen and a screen that stays on for walls, and links that are copied and shared. */
export const framePowers = 'fullscreen; screen-wake-lock; clipboard-write; web-share';
