;;; hloscope.el --- XLA HLO modules with HLOscope's language server -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; A mode for HLO modules, and eglot's way to the language server `hloscope-lsp'.  Put the folder of this file into
;; `load-path' and write
;;
;;     (require 'hloscope)
;;     (add-hook 'hlo-mode-hook #'eglot-ensure)

;;; Code:

(require 'eglot)

(defgroup hloscope nil
  "XLA HLO modules."
  :group 'languages)

(defcustom hloscope-server-command '("hloscope-lsp")
  "The language server: a program and its arguments."
  :type '(repeat string))

(defvar hlo-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?. "_" table)
    (modify-syntax-entry ?- "_" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "Comments, strings and names of HLO.")

(defconst hlo-mode-font-lock
  '(("\\_<\\(?:HloModule\\|ENTRY\\|ROOT\\)\\_>" . font-lock-keyword-face)
    ("^\\s-*\\(?:ROOT\\s-+\\)?\\(%?[[:alpha:]_][[:alnum:]_.-]*\\)\\s-*=" 1 font-lock-variable-name-face)
    ("\\_<\\([a-z][a-z0-9]*\\)\\[" 1 font-lock-type-face)
    ("[ })\]]\\([a-z][a-z0-9-]*\\)(" 1 font-lock-function-name-face)
    (",\\s-*\\([a-z_]+\\)=" 1 font-lock-constant-face))
  "Colours of HLO by shape alone; names that mean something come from the language server.")

;;;###autoload
(define-derived-mode hlo-mode prog-mode "HLO"
  "Major mode for XLA HLO modules."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(hlo-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.hlo\\(?:\\.txt\\)?\\'" . hlo-mode))
;; Dumps are text files that start with HloModule.
;;;###autoload
(add-to-list 'magic-mode-alist '("[ \t\n]*HloModule\\_>" . hlo-mode))

(add-to-list 'eglot-server-programs (cons 'hlo-mode (lambda (&rest _) hloscope-server-command)))

(provide 'hloscope)
;;; hloscope.el ends here
