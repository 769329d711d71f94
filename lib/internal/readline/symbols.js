'use strict';
// The state of an Interface that programs do not see by name; readline.Interface shows some of it
// under the names with an underscore.

module.exports = {
  kBeforeLineEnd: Symbol('before the end of the line'),
  kColorize: Symbol('_colorize'),
  kDecoder: Symbol('_decoder'),
  kIsMultiline: Symbol('_isMultiline'),
  kKillRing: Symbol('_killRing'),
  kKillRingCursor: Symbol('_killRingCursor'),
  kLastCommandErrored: Symbol('_lastCommandErrored'),
  kLineBuffer: Symbol('_line_buffer'),
  kLineObjectStream: Symbol('line object stream'),
  kOldPrompt: Symbol('_oldPrompt'),
  kPreviousKey: Symbol('_previousKey'),
  kPrompt: Symbol('_prompt'),
  kQuestion: Symbol('kQuestion'),
  kQuestionCallback: Symbol('_questionCallback'),
  kQuestionCancel: Symbol('kQuestionCancel'),
  kQuestionReject: Symbol('_questionReject'),
  kRedoStack: Symbol('_redoStack'),
  kSawReturnAt: Symbol('_sawReturnAt'),
  kShowCompletions: Symbol('_tabCompleter'),
  kSubstringSearch: Symbol('kSubstringSearch'),
  kUndoStack: Symbol('_undoStack'),
  kWantedColumn: Symbol('wanted column'),
  kYanking: Symbol('_yanking'),
};
